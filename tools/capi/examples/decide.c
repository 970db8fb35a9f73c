/* Decides which play of a roll to make in Plakoto or Fevga: decide GAME POSITION ROLL. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tavli.h>

static void check(TavliStatus status) {
    if (status != TAVLI_STATUS_OK) {
        fprintf(stderr, "decide: %s\n", tavli_last_error());
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: decide GAME POSITION ROLL\n");
        return 2;
    }
    const char *roll = argv[3];
    TavliAnyPosition *position;
    check(tavli_any_position_read(argv[1], NULL, argv[2], &position));
    size_t count;
    check(tavli_any_plays_count(position, roll, &count));
    TavliAnyRacedPlay *plays = calloc(count, sizeof *plays);
    if (plays == NULL) {
        fprintf(stderr, "decide: no memory\n");
        return EXIT_FAILURE;
    }

    TavliWorkers *workers;
    check(tavli_workers_start(2, NULL, NULL, &workers));
    TavliAnyDecisionSettings settings = tavli_any_decision_settings_default();
    settings.within = 0.05;
    TavliAnyDecision decision;
    check(tavli_any_decide(position, roll, &settings, workers, NULL, NULL, NULL, &decision, plays, count, &count));
    tavli_workers_free(workers);

    for (size_t at = 0; at < count; at++) {
        TavliAnyPosition *after;
        char moves[TAVLI_TEXT_SIZE];
        check(tavli_any_play(position, roll, plays[at].play, &after, moves, sizeof moves, NULL));
        printf("%-24s %+.4f %6" PRIu64 " games%s\n", moves, plays[at].equity.mean, plays[at].trials,
               plays[at].is_dropped ? ", dropped" : "");
        tavli_any_position_free(after);
    }
    /* Not rounded up, which would promise more. */
    printf("%.1f %% sure\n", (double)(int)(1000 * decision.sure) / 10);
    free(plays);
    tavli_any_position_free(position);
    return EXIT_SUCCESS;
}
