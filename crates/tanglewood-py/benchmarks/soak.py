"""An hour of mixed traffic on `tanglewood serve`, and of `tanglewood parse` in a pipe: is memory flat, latency stable?

    python soak.py --program target/release/tanglewood --minutes 60 TREEBANK

Needs nothing but Python, and speaks to 127.0.0.1 alone. TREEBANK is a file of CoNLL-U with `# text` comments, of which
sentences are taken at random. The server and the pipe run side by side, each at a steady rate (`--rate`, `--lines`, per
second), so that a small part of one core is taken. One request in twelve is a bad one: broken JSON, no JSON, two hosts,
a client that goes away, one that closes its half, one that never reads. Prints, for each tenth of the time and for each
of the two: requests, median and 99th percentile of the time to the answer in milliseconds, resident memory in MB, open
files and threads at its end; then whether memory is flat. Exit code 1 if anything was answered wrongly.
"""

import argparse
import http.client
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import threading
import time

SYSTEMS = ["arc-standard", "arc-hybrid", "mh3", "mh4", "mh4+", "all-s0s1"]


def sentences_of(path):
    """Pairs of CoNLL-U and text."""
    with open(path, encoding="utf-8") as file:
        blocks = [block for block in file.read().split("\n\n") if block.strip()]
    pairs = []
    for block in blocks:
        text = [line[len("# text = "):] for line in block.split("\n") if line.startswith("# text = ")]
        if text and len(text[0].split()) < 60:
            pairs.append((block + "\n\n", text[0]))
    return pairs


def state_of(process):
    """Resident memory in MB, open files, threads."""
    place = f"/proc/{process.pid}"
    with open(f"{place}/status", encoding="utf-8") as file:
        lines = dict(line.split(":", 1) for line in file.read().splitlines())
    return int(lines["VmRSS"].split()[0]) / 1024, len(os.listdir(f"{place}/fd")), int(lines["Threads"])


class Load:
    """Something that is asked at a steady rate; `ask` gives seconds to the answer, or None where none is expected."""

    def __init__(self, name, process, rate, ask):
        self.name, self.process, self.rate, self.ask = name, process, rate, ask
        self.times, self.rows, self.wrong, self.count = [], [], [], 0

    def run(self, minutes, parts):
        start = time.monotonic()
        length = 60 * minutes / parts
        due = start
        for part in range(1, parts + 1):
            while time.monotonic() < start + part * length:
                try:
                    taken = self.ask()
                    self.count += 1
                    if taken is not None:
                        self.times.append(taken)
                except Exception as error:  # noqa: BLE001: whatever it is, it is counted and shown
                    self.wrong.append(repr(error))
                    if self.process.poll() is not None or len(self.wrong) > 100:
                        return
                # Behind time, questions are left out: this is no test of the highest rate.
                due = max(due + 1 / self.rate, time.monotonic() - 1)
                time.sleep(max(0, due - time.monotonic()))
            times, self.times = sorted(self.times), []
            row = (part * length / 60, len(times), 1000 * statistics.median(times),
                   1000 * times[int(0.99 * (len(times) - 1))], *state_of(self.process))
            self.rows.append(row)
            print(f"{self.name}\t" + "\t".join(f"{value:.1f}" for value in row), flush=True)


def server(program, treebank, sentences, chance, rate):
    process = subprocess.Popen([program, "serve", "--model", "en", "--port", "0", treebank],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    port = int(process.stdout.readline().rsplit(":", 1)[1].strip("/\n"))
    unread = []

    def request(method, path, body=None, kind="application/json", expected=(200,)):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        start = time.monotonic()
        connection.request(method, path, body, {"Content-Type": kind} if body is not None else {})
        answer = connection.getresponse()
        content = answer.read()
        taken = time.monotonic() - start
        connection.close()
        if answer.status not in expected:
            raise ValueError(f"{path}: {answer.status} {content[:200]}")
        return taken

    def raw(text, close):
        """A client of its own kind; `close` is what it does after it has spoken."""
        link = socket.create_connection(("127.0.0.1", port), timeout=30)
        link.sendall(text)
        return close(link)

    def bad():
        body = json.dumps({"text": chance.choice(sentences)[1], "system": "mh4", "direction": "ltr"}).encode()
        head = f"POST /api/parse HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        whole = head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body
        kind = chance.randrange(7)
        if kind == 0:
            request("POST", "/api/tree", body[: chance.randrange(len(body))], expected=(400,))
        elif kind == 1:
            request("POST", "/api/scores", chance.randbytes(200), expected=(400,))
        elif kind == 2:
            request("POST", "/api/tree", body, kind="text/plain", expected=(415,))
        elif kind == 3:
            two = f"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: example.org\r\n\r\n".encode()
            status = raw(two, lambda link: (link.recv(100), link.close())[0]).split(b" ")[1]
            if status not in (b"400", b"403"):
                raise ValueError(f"two hosts: {status}")
        elif kind == 4:
            raw(whole[: chance.randrange(len(whole))], lambda link: link.close())
        elif kind == 5:
            def half_closed(link):
                link.shutdown(socket.SHUT_WR)
                answer = link.recv(100)
                link.close()
                return answer
            answer = raw(whole, half_closed)
            if not answer.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 422 ")):
                raise ValueError(f"no answer for a client that closed its half: {answer}")
        else:
            raw(whole, unread.append)
            while len(unread) > 20:
                unread.pop(0).close()

    def ask():
        conllu, text = chance.choice(sentences)
        system, direction = chance.choice(SYSTEMS), chance.choice(["ltr", "rtl"])
        kind = chance.randrange(12)
        if kind == 0:
            return bad()
        if kind == 1:
            return request("GET", chance.choice(["/", "/api/about"]))
        if kind <= 5:
            question = {"text": text, "system": system, "direction": direction, "k": chance.randrange(4)}
            # Refused where a sentence is too long for a system, or its text looks like a tree.
            return request("POST", "/api/parse", json.dumps(question), expected=(200, 422))
        if kind <= 8:
            question = {"text": conllu, "system": system, "direction": direction, "step": chance.randrange(9)}
            return request("POST", "/api/tree", json.dumps(question))
        if kind == 9:
            count = chance.randrange(2, 9)
            rows = [" ".join(str(chance.randrange(-9, 9)) for _ in range(count)) for _ in range(count)]
            question = {"matrix": "\n".join(rows), "system": "any", "direction": "ltr", "k": 3}
            return request("POST", "/api/scores", json.dumps(question))
        if kind == 10:
            question = {"text": conllu, "format": chance.choice(["svg", "pdf", "png", "conllu"])}
            return request("POST", "/api/export", json.dumps(question))
        some = "".join(pair[0] for pair in chance.sample(sentences, 20)).encode()
        return request("POST", "/api/open?name=some.conllu", some, "application/octet-stream")

    return Load("serve", process, rate, ask)


def pipe(program, sentences, chance, rate):
    process = subprocess.Popen([program, "parse", "en", "--input", "lines", "--jobs", "1", "-"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask():
        line = chance.choice(sentences)[1].encode()
        kind = chance.randrange(200)
        if kind == 0:
            line = b" ".join(pair[1].encode() for pair in chance.sample(sentences, 40))
        elif kind == 1:
            line += b" \xff\xfe \x1b[2J \x00"
        start = time.monotonic()
        process.stdin.write(line + b"\n")
        process.stdin.flush()
        words = 0
        while True:
            row = process.stdout.readline()
            if not row:
                raise EOFError("no more output")
            if row == b"\n":
                break
            words += not row.startswith(b"#")
        if not words:
            raise ValueError(f"no words for {line!r}")
        return time.monotonic() - start

    return Load("parse", process, rate, ask)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank")
    parser.add_argument("--program", default="tanglewood")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--parts", type=int, default=6, help="rows of each table")
    parser.add_argument("--rate", type=float, default=8, help="requests per second")
    parser.add_argument("--lines", type=float, default=25, help="lines per second")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    sentences = sentences_of(given.treebank)
    chance = random.Random(given.seed)
    loads = [server(given.program, given.treebank, sentences, random.Random(chance.random()), given.rate),
             pipe(given.program, sentences, random.Random(chance.random()), given.lines)]
    # Once around before the first measure, so that what is loaded at the first question is there.
    for load in loads:
        for _ in range(50):
            load.ask()
    begins = {load.name: state_of(load.process) for load in loads}
    print("load\tminutes\tanswers\tmedian_ms\tp99_ms\tmb\tfiles\tthreads")
    for name, (memory, files, threads) in begins.items():
        print(f"{name}\t0\t\t\t\t{memory:.1f}\t{files}\t{threads}", flush=True)
    threads = [threading.Thread(target=load.run, args=(given.minutes, given.parts)) for load in loads]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    failed = False
    for load in loads:
        ended = load.process.poll() is not None
        if load.name == "parse" and not ended:
            load.process.stdin.close()
            ended = load.process.wait(60) != 0
        load.process.terminate()
        load.process.wait(60)
        growth = load.rows[-1][4] - load.rows[0][4] if load.rows else float("nan")
        print(f"{load.name}: {load.count} asked, {len(load.wrong)} wrong, memory from the first part's end to the "
              f"last's {growth:+.1f} MB")
        for problem in load.wrong[:5]:
            print(f"  {problem}")
        failed |= ended or bool(load.wrong)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
