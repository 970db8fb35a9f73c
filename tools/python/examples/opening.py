"""The plays of an opening roll, ranked by a rollout on the same dice, with a progress bar."""

from tqdm import tqdm

import tavli

position = tavli.Position("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
print(position)

with tqdm(unit="trial", unit_scale=True) as bar:

    def show(progress: tavli.Progress) -> None:
        bar.total = progress.total
        bar.update(progress.done - bar.n)

    rollout = tavli.rollout(position, position.roll, trials=12_960, progress=show, policy="uniform")

print(f"\n{rollout.trials} trials of each play")
for rank, result in enumerate(rollout.standings[:5], start=1):
    equity = result.equity
    print(f"{rank}. {result.moves:14} {equity.mean:+.4f} ± {equity.standard_error:.4f}  JSD {result.jsd:.2f}")
