#!/bin/sh
# Builds tavli from the sources in the folder that TAVLI_SOURCE names, without the network, and writes the
# program that the test suite runs: the record goes to its log, the median rates to its parser.
if [ -z "$TAVLI_SOURCE" ]; then
    echo "TAVLI_SOURCE must name the folder of tavli's sources" >&2
    echo 2 > ~/install-exit-status
    exit 2
fi
cargo install --offline --locked --path "$TAVLI_SOURCE/tools/cli" --root "$HOME/tavli-program"
echo $? > ~/install-exit-status

cat > tavli <<'PROGRAM'
#!/bin/sh
# Fails if the verification of the benchmark does.
"$HOME/tavli-program/bin/tavli" "$@" --json > record.json
echo $? > ~/test-exit-status
cat record.json >> "$LOG_FILE"
python3 - >> "$LOG_FILE" <<'RATE'
import json, statistics
for case in json.load(open("record.json"))["cases"]:
    rates = [one["units"] / one["seconds"] for one in case["repetitions"]]
    print(f'{case["name"]}: {statistics.median(rates):.0f} {case["unit"]}/s')
RATE
PROGRAM
chmod +x tavli
