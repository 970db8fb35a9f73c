/* The best way to play 31 in the opening if both sides play on as the net fast, the default. */
#include <stdio.h>
#include <tavli.h>

int main(void) {
    int points[26];
    TavliWorkers *workers = NULL;
    TavliRollout *rollout = NULL;
    TavliCandidateResult best[16];
    TavliPlay play;
    TavliStop stop = tavli_stop_default();
    stop.trials = 1296;
    int failed = tavli_position_read("4HPwATDgc/ABMA", points) ||
                 tavli_workers_start(0, NULL, NULL, &workers) ||
                 tavli_rollout_of_plays(points, 3, 1, NULL, &stop, NULL, &rollout) ||
                 tavli_rollout_play(rollout, workers, NULL, NULL, NULL, NULL) ||
                 tavli_rollout_results(rollout, best, 16, NULL) ||
                 tavli_rollout_candidate(rollout, best[0].candidate, &play);
    if (failed) {
        fprintf(stderr, "%s\n", tavli_last_error());
    } else {
        printf("%s: %+.4f [%.4f]\n", play.moves, best[0].equity.mean, best[0].equity.standard_error);
    }
    tavli_rollout_free(rollout);
    tavli_workers_free(workers);
    return failed;
}
