"""Many positions at a time: the positions after each play of every opening roll, as NumPy arrays."""

import numpy as np

import tavli

opening = tavli.Position()
rolls = [(high, low) for high in range(2, 7) for low in range(1, high)]
plays = [(roll, play) for roll in rolls for play in opening.plays(roll)]
points = np.stack([play.position.points for _, play in plays])
print("positions:", points.shape, points.dtype)

# The probabilities are for the next player, the opponent of whoever made the play.
probabilities = tavli.probabilities(points, trials=1296, policy="uniform")
print("probabilities:", probabilities.shape, probabilities.dtype)
equity = -(probabilities @ [1, 2, 3, -1, -2, -3])
for roll in rolls:
    rows = [row for row, (of_roll, _) in enumerate(plays) if of_roll == roll]
    best = max(rows, key=lambda row: float(equity[row]))
    print(f"{roll[0]}{roll[1]}  {plays[best][1].moves:12} {equity[best]:+.3f}")
