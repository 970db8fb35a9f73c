"""Requests of `/move` answered by `tavli serve` and by wildbg's server, in one run.

    python3 bench/peers/wildbg.py WILDBG [PLAYER ...] [--positions N] [--connections N,..] [--rounds N] [--seed S]
        [--tavli PROGRAM]

WILDBG is a folder with the sources of github.com/carsten-wenderdel/wildbg, whose server is built into a folder for
temporary files, or the program of that server. Without either only tavli answers, and a line says so. Each PLAYER of
tavli, by default the one that `tavli serve` has and `fast`, answers as another server.

The build of wildbg's server fetches the pages of Swagger UI, which no request here asks for. Without a network, let
SWAGGER_UI_DOWNLOAD_URL name a file:// of a zip with any files in swagger-ui-5.17.14/dist, or build elsewhere and name
the program.

The positions, with dice, are those of money games that the servers play in turns. Every server answers all of them over
each number of connections that stay open, each sending the next request behind an answer, round by round in turns. The
servers run one after another on one CPU, and the client on another if there is one. Prints requests a second and the
server's processor time a request, as medians, with the ratios to wildbg by rounds; then how answers agree: the same
plays listed, the same best play, and how far the probabilities after the same play differ.
"""

import argparse
import json
import os
import pathlib
import random
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time

START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
NAMES = ["win", "winG", "winBg", "loseG", "loseBg"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("wildbg", metavar="WILDBG", type=pathlib.Path, help="its sources, or its server")
    parser.add_argument("players", metavar="PLAYER", nargs="*", default=["strong+bearoff:6x6", "fast"])
    parser.add_argument("--positions", type=int, default=1000, help="requests of a round (default: 1000)")
    parser.add_argument("--connections", default="1,8,64", help="connections at a time (default: 1,8,64)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default: 5)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the dice (default: 1)")
    parser.add_argument("--tavli", default="target/release/tavli", help="the program (default: target/release/tavli)")
    return parser.parse_args()


def program_of(path):
    """The program of wildbg's server, built if there are its sources; None without them."""
    if path.is_file():
        return path
    if not (path / "crates" / "web" / "Cargo.toml").is_file():
        reason = f"{path} has no crates/web/Cargo.toml and is no program"
        print(f"SKIPPED: wildbg is not compared, {reason}", file=sys.stderr)
        return None
    target = pathlib.Path(tempfile.gettempdir()) / "wildbg-target"
    command = ["cargo", "build", "--release", "--locked", "--package", "web", "--target-dir", target]
    if subprocess.run(command, cwd=path).returncode:
        raise SystemExit(f"wildbg does not build in {path}: name the program of its server in place of its sources")
    return target / "release" / "server"


class Server:
    """A server on one CPU."""

    def __init__(self, name, command, port, cpu):
        self.name = name
        bind = lambda: os.sched_setaffinity(0, {cpu})
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=bind)
        # Both say where they listen.
        said = self.process.stdout.readline()
        self.port = port or int(said.strip().rsplit(":", 1)[1])
        for _ in range(100):
            try:
                return socket.create_connection(("127.0.0.1", self.port)).close()
            except ConnectionRefusedError:
                time.sleep(0.1)
        raise SystemExit(f"{name} does not listen at {self.port}")

    def seconds(self):
        """The processor time of its threads; none ends while it answers."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e9

    def end(self):
        self.process.terminate()
        self.process.wait()


def request_of(board, dice):
    places = "".join(f"&p{place}={count}" for place, count in enumerate(board) if count)
    path = f"/move?die1={dice[0]}&die2={dice[1]}&x_away=0&o_away=0{places}"
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def answers(port, requests, connections):
    """The bodies of the answers, in order, and the seconds that they took."""
    bodies, sockets = [None] * len(requests), selectors.DefaultSelector()
    waiting = iter(range(len(requests)))
    for _ in range(connections):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sockets.register(connection, selectors.EVENT_READ, [None, b""])
    begin = time.perf_counter()
    for key in list(sockets.get_map().values()):
        key.data[0] = next(waiting, None)
        if key.data[0] is not None:
            key.fileobj.sendall(requests[key.data[0]])
    left = len(requests)
    while left:
        for key, _ in sockets.select():
            received = key.fileobj.recv(1 << 16)
            if not received:
                raise SystemExit("a server closed a connection")
            key.data[1] += received
            head, found, body = key.data[1].partition(b"\r\n\r\n")
            if not found or len(body) < int(head.lower().partition(b"content-length:")[2].split(None, 1)[0]):
                continue
            if b" 200 " not in head[:16]:
                raise SystemExit(f"a request was refused: {head.decode()} {body.decode()}")
            bodies[key.data[0]] = body
            left -= 1
            key.data[:] = next(waiting, None), b""
            if key.data[0] is not None:
                key.fileobj.sendall(requests[key.data[0]])
    seconds = time.perf_counter() - begin
    for key in list(sockets.get_map().values()):
        key.fileobj.close()
    return bodies, seconds


def after(board, play):
    """The checkers after a play, as the player sees them who made it."""
    board = list(board)
    for step in play:
        board[step["from"]] -= 1
        if step["to"] == 0:
            continue
        if board[step["to"]] == -1:
            board[step["to"]] = 0
            board[0] -= 1
        board[step["to"]] += 1
    return tuple(board)


def positions_of(servers, count, seed):
    """Positions with dice of games that the servers play, the first ply by the first."""
    dice, board, positions = random.Random(seed), START, []
    while len(positions) < count:
        roll = dice.randint(1, 6), dice.randint(1, 6)
        positions.append((board, roll))
        port = servers[len(positions) % len(servers)].port
        [body], _ = answers(port, [request_of(board, roll)], 1)
        made = after(board, json.loads(body)["moves"][0]["play"])
        over = not any(checkers > 0 for checkers in made)
        board = START if over else [-checkers for checkers in reversed(made)]
    return positions


def plays_of(server, board, body):
    """The board and the probabilities of each play of an answer, whose form is checked."""
    answer = json.loads(body)
    assert list(answer) == ["moves"] and answer["moves"], f"{server.name}: {body}"
    plays = []
    for move in answer["moves"]:
        assert sorted(move) == ["play", "probabilities"], f"{server.name}: {move}"
        assert all(sorted(step) == ["from", "to"] for step in move["play"]), f"{server.name}: {move}"
        chances = [move["probabilities"][name] for name in NAMES]
        assert len(move["probabilities"]) == 5, f"{server.name}: {move}"
        win, gammons, backgammons, lost_gammons, lost_backgammons = chances
        in_order = -1e-6 <= backgammons <= gammons + 1e-6 <= win + 2e-6 <= 1 + 3e-6
        lost_in_order = -1e-6 <= lost_backgammons <= lost_gammons + 1e-6 <= 1 - win + 3e-6
        assert in_order and lost_in_order, f"{server.name}: {move}"
        plays.append((after(board, move["play"]), chances))
    return plays


def agreement(ours, theirs, positions, bodies):
    """How the answers of two servers to the same positions agree, in a line."""
    listed = best = compared = 0
    differences = []
    for (board, _), first, second in zip(positions, bodies[ours.name], bodies[theirs.name]):
        first, second = plays_of(ours, board, first), plays_of(theirs, board, second)
        listed += sorted(play for play, _ in first) == sorted(play for play, _ in second)
        if len(first) > 1:
            compared += 1
            best += first[0][0] == second[0][0]
        values = dict(second)
        differences += [abs(a - b) for play, chances in first if play in values for a, b in zip(chances, values[play])]
    return (
        f"{ours.name} and {theirs.name}: the same plays listed for {listed} of {len(positions)} positions, the same "
        f"best play in {best} of {compared} with a choice; probabilities differ by "
        f"{statistics.mean(differences):.4f} in the mean"
    )


def main():
    given = arguments()
    program = program_of(given.wildbg)
    cpus = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cpus[-1]})
    servers = []
    if program:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        servers.append(Server("wildbg", [program, "--port", str(port)], port, cpus[0]))
    for player in given.players:
        command = [given.tavli, "serve", "--listen", "127.0.0.1:0", "--threads", "1", "--player", player]
        servers.append(Server(f"tavli {player}", command, None, cpus[0]))
    try:
        positions = positions_of(servers, given.positions, given.seed)
        requests = [request_of(board, dice) for board, dice in positions]
        bodies = {}
        print("| connections | server | requests/s | µs each | requests/s over wildbg (range) | time under wildbg |")
        print("|---|---|---|---|---|---|")
        for connections in map(int, given.connections.split(",")):
            rates = {server.name: [] for server in servers}
            costs = {server.name: [] for server in servers}
            for number in range(given.rounds):
                for server in servers if number % 2 == 0 else reversed(servers):
                    before = server.seconds()
                    got, seconds = answers(server.port, requests, connections)
                    costs[server.name].append(1e6 * (server.seconds() - before) / len(requests))
                    rates[server.name].append(len(requests) / seconds)
                    if bodies.setdefault(server.name, got) != got:
                        raise SystemExit(f"{server.name} gave other answers to the same requests")
            for server in servers:
                rate, cost = rates[server.name], costs[server.name]
                over = under = "-"
                if program and server.name != "wildbg":
                    ratios = [ours / theirs for ours, theirs in zip(rate, rates["wildbg"])]
                    over = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
                    ratios = [theirs / ours for ours, theirs in zip(cost, costs["wildbg"])]
                    under = f"{statistics.median(ratios):.2f}"
                print(
                    f"| {connections} | {server.name} | {statistics.median(rate):.0f} | {statistics.median(cost):.1f} "
                    f"| {over} | {under} |"
                )
        print()
        for server in servers:
            if program and server.name != "wildbg":
                print(agreement(server, servers[0], positions, bodies))
    finally:
        for server in servers:
            server.end()


if __name__ == "__main__":
    main()
