/* Plays games from a position, in two parts that add up to the whole: playouts POSITION GAMES. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tavli.h>

static void check(TavliStatus status) {
    if (status != TAVLI_STATUS_OK) {
        fprintf(stderr, "playouts: %s\n", tavli_last_error());
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv) {
    char *end = "";
    uint64_t games = argc == 3 ? strtoull(argv[2], &end, 10) : 0;
    if (games == 0 || *end != '\0' || argv[2][0] == '-') {
        fprintf(stderr, "usage: playouts POSITION GAMES\n");
        return 2;
    }
    int points[26];
    check(tavli_position_read(argv[1], points));

    TavliWorkers *workers;
    char tier[16];
    check(tavli_workers_start(2, NULL, NULL, &workers));
    check(tavli_workers_tier(workers, tier, sizeof tier, NULL));
    printf("tier %s\n", tier);

    TavliSettings settings = tavli_settings_default();
    settings.seed = 42;
    settings.first_roll = TAVLI_FIRST_ROLL_OPEN;
    TavliTally whole, part, rest;
    check(tavli_playouts(points, &settings, 0, games, workers, NULL, NULL, NULL, &whole));
    check(tavli_playouts(points, &settings, 0, games / 3, workers, NULL, NULL, NULL, &part));
    check(tavli_playouts(points, &settings, games / 3, games - games / 3, workers, NULL, NULL, NULL, &rest));
    tavli_workers_free(workers);

    static const char *const names[6] = {"win single", "win gammon", "win backgammon",
                                         "lose single", "lose gammon", "lose backgammon"};
    for (int outcome = 0; outcome < 6; outcome++) {
        printf("%-15s %" PRIu64 "\n", names[outcome], whole.outcomes[outcome]);
        if (part.outcomes[outcome] + rest.outcomes[outcome] != whole.outcomes[outcome]) {
            fprintf(stderr, "playouts: the parts do not add up\n");
            return EXIT_FAILURE;
        }
    }
    printf("%" PRIu64 " games, %" PRIu64 " plies, %" PRIu64 " in the longest\n", whole.games, whole.plies,
           whole.longest);
    return EXIT_SUCCESS;
}
