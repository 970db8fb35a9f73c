/* Lists the plays of a roll: plays POSITION ROLL, such as plays 4HPwATDgc/ABMA 31. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tavli.h>

static void check(TavliStatus status) {
    if (status != TAVLI_STATUS_OK) {
        fprintf(stderr, "plays: %s\n", tavli_last_error());
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv) {
    if (argc != 3 || strlen(argv[2]) != 2) {
        fprintf(stderr, "usage: plays POSITION ROLL\n");
        return 2;
    }
    int points[26];
    check(tavli_position_read(argv[1], points));
    int die = argv[2][0] - '0', other_die = argv[2][1] - '0';

    size_t count;
    check(tavli_plays_count(points, die, other_die, TAVLI_RULES_BACKGAMMON, &count));
    TavliPlay *plays = malloc((count > 0 ? count : 1) * sizeof *plays);
    if (plays == NULL) {
        perror("plays");
        return EXIT_FAILURE;
    }
    check(tavli_plays(points, die, other_die, TAVLI_RULES_BACKGAMMON, plays, count, NULL));
    for (size_t i = 0; i < count; i++) {
        char xgid[TAVLI_TEXT_SIZE];
        /* A play that wins leaves no position to write. */
        if (tavli_position_write(plays[i].points, TAVLI_FORMAT_XGID, xgid, sizeof xgid, NULL) !=
            TAVLI_STATUS_OK) {
            strcpy(xgid, "wins");
        }
        printf("%-20s %s\n", plays[i].moves, xgid);
    }
    free(plays);
    return EXIT_SUCCESS;
}
