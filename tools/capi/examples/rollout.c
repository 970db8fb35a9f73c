/* Rolls out the plays of a roll, tells how far it is, and ends it from another thread after a time:
 * rollout POSITION ROLL TRIALS [MILLISECONDS]. */

#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tavli.h>

static void check(TavliStatus status) {
    if (status != TAVLI_STATUS_OK) {
        fprintf(stderr, "rollout: %s\n", tavli_last_error());
        exit(EXIT_FAILURE);
    }
}

static void show(const TavliProgress *progress, void *data) {
    int *calls = data;
    ++*calls;
    fprintf(stderr, "%3.0f %%, %.0f games/s, %.1f s left\n", 100 * progress->fraction,
            progress->games_per_second, progress->seconds_left);
}

struct timer {
    long milliseconds;
    TavliCancel *cancel;
};

static void *run_timer(void *data) {
    const struct timer *timer = data;
    struct timespec wait = {timer->milliseconds / 1000, timer->milliseconds % 1000 * 1000000};
    nanosleep(&wait, NULL);
    check(tavli_cancel_throw(timer->cancel));
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 4 || argc > 5 || strlen(argv[2]) != 2) {
        fprintf(stderr, "usage: rollout POSITION ROLL TRIALS [MILLISECONDS]\n");
        return 2;
    }
    int points[26];
    check(tavli_position_read(argv[1], points));
    TavliStop stop = tavli_stop_default();
    stop.trials = strtoull(argv[3], NULL, 10);
    /* Games at random, which are played in a moment; NULL in place of the settings plays them as the net "fast" does. */
    TavliSettings settings = tavli_settings_default();
    settings.policy = "uniform";

    TavliRollout *rollout;
    check(tavli_rollout_of_plays(points, argv[2][0] - '0', argv[2][1] - '0', &settings, &stop, NULL, &rollout));
    TavliWorkers *workers;
    check(tavli_workers_start(2, NULL, NULL, &workers));
    struct timer timer = {argc == 5 ? atol(argv[4]) : 0, NULL};
    check(tavli_cancel_new(&timer.cancel));
    pthread_t thread;
    if (argc == 5 && pthread_create(&thread, NULL, run_timer, &timer) != 0) {
        fprintf(stderr, "rollout: no thread\n");
        return EXIT_FAILURE;
    }

    int calls = 0;
    TavliStopReason reason;
    check(tavli_rollout_play(rollout, workers, timer.cancel, show, &calls, &reason));
    if (argc == 5) {
        pthread_join(thread, NULL);
    }
    tavli_cancel_free(timer.cancel);
    tavli_workers_free(workers);

    TavliSummary summary;
    check(tavli_rollout_summary(rollout, &summary));
    printf("%" PRIu64 " trials of %" PRIu64 " plays, %s\n", summary.trials, summary.candidates,
           reason == TAVLI_STOP_REASON_CANCELLED ? "cancelled" : "all of them");
    TavliCandidateResult *results = malloc((size_t)summary.candidates * sizeof *results);
    if (results == NULL) {
        perror("rollout");
        return EXIT_FAILURE;
    }
    check(tavli_rollout_results(rollout, results, (size_t)summary.candidates, NULL));
    for (size_t i = 0; i < summary.candidates && i < 5; i++) {
        TavliPlay play;
        check(tavli_rollout_candidate(rollout, results[i].candidate, &play));
        printf("%zu. %-20s %+.4f [%.4f]\n", i + 1, play.moves, results[i].equity.mean,
               results[i].equity.standard_error);
    }
    free(results);
    tavli_rollout_free(rollout);
    return EXIT_SUCCESS;
}
