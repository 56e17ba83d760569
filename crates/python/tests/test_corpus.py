"""Corpora on a real Ray cluster of this machine: ``ray start`` for a head and two workers, then
what happens to clusters. Every case is in the results exactly once, and as plain ``conform`` has it."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest

pytest.importorskip("ray")
pytest.importorskip("pyarrow")

import corpus_program

corpus_program.find_package()
# Newer versions of Ray ask everybody for a token; this cluster is nobody else's.
os.environ["RAY_AUTH_MODE"] = "disabled"
from isotherm.corpus.dataset import Dataset

ROOT = pathlib.Path(__file__).parents[3]
PROGRAM = os.environ.get("ISOTHERM", str(ROOT / "target" / "release" / "isotherm"))
RAY = [sys.executable, "-m", "ray.scripts.scripts"]
#: What differs from run to run, and what only a cluster adds.
LOOSE = {"seconds", "peak_bytes", "stamp", "attempts", "finished", "quarantined"}
COPIES = 6

pytestmark = pytest.mark.skipif(not os.path.exists(PROGRAM), reason=f"no program at {PROGRAM} (set ISOTHERM)")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """The project's scenes, several times, with goldens: one's own picture, or another one's."""
    folder = tmp_path_factory.mktemp("corpus")
    subprocess.run([PROGRAM, "demo", "--captures", "--quiet", "-o", str(folder / "demo")], check=True, stdout=subprocess.DEVNULL)
    captures = sorted((folder / "demo").rglob("*.cap.zst"))
    entries = []
    for copy in range(COPIES):
        for capture in captures:
            name = capture.name.split(".")[0]
            entry = {"suite": f"suite {copy % 3}", "test": f"{name}-{copy}", "capture": str(capture)}
            picture = capture.with_name(f"{name}.png")
            if picture.exists():
                golden = folder / f"{name}-{copy}.png"
                shutil.copy(picture, golden)
                entry["golden"] = golden.name
            entries.append(entry)
    (folder / "index.json").write_text(json.dumps({"entries": entries}))
    return folder


@pytest.fixture(scope="module")
def plain(corpus):
    """What ``isotherm conform`` says."""
    out = corpus / "plain.jsonl"
    subprocess.run([PROGRAM, "conform", str(corpus), "--quiet", "--jsonl", str(out)], stdout=subprocess.DEVNULL)
    return {case(row): row for row in map(json.loads, out.read_text().splitlines())}


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


#: Where the object store of these tests listens. Workers take it from their environment, so it is known before they start.
STORE = f"http://127.0.0.1:{free_port()}"
os.environ.update(AWS_ENDPOINT_URL=STORE, AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION="us-east-1")


def listens(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


@contextlib.contextmanager
def server(port, *command, **options):
    """A process that listens, for as long as it is needed."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        deadline = time.time() + 90
        while not listens(port):
            assert time.time() < deadline and process.poll() is None, f"{command[0]} does not listen"
            time.sleep(0.1)
        yield
    finally:
        process.kill()
        process.wait()


def case(row):
    return f"{row['suite']}/{row['name']}"


class Cluster:
    """A head without processors and two workers with one each, as processes of their own."""

    def __init__(self):
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.head = None
        self.workers = []

    def start(self):
        self.head = self._ray("--head", f"--port={self.port}", "--num-cpus=0", "--include-dashboard=false")
        deadline = time.time() + 90
        while not listens(self.port):
            assert time.time() < deadline and self.head.poll() is None, "no head"
            time.sleep(0.2)
        self.workers = [self.add_worker() for _ in range(2)]
        self.wait_for_workers()
        return self

    def wait_for_workers(self):
        """A node that comes while the head still gets up may go again: then another comes."""
        deadline = time.time() + 120
        while self._processors() < 2:
            assert time.time() < deadline, "no workers"
            self.workers = [w if w.poll() is None else self.add_worker() for w in self.workers]

    def _processors(self):
        """Processors of the cluster, as somebody sees who joins it."""
        ask = f"import ray; ray.init('{self.address}', logging_level='ERROR'); print(int(ray.cluster_resources().get('CPU', 0)))"
        said = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True).stdout.split()
        return int(said[-1]) if said and said[-1].isdigit() else 0

    def add_worker(self):
        return self._ray(f"--address={self.address}", "--num-cpus=1")

    def _ray(self, *arguments):
        command = RAY + ["start", "--block", "--node-ip-address=127.0.0.1", "--object-store-memory=80000000", *arguments]
        quiet = subprocess.DEVNULL
        environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_memory_monitor_refresh_ms": "0"}
        return subprocess.Popen(command, stdout=quiet, stderr=quiet, env=environment, start_new_session=True)

    @staticmethod
    def kill(process):
        """Ends what one ``ray start`` started: its session is ours alone."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self):
        for process in [*self.workers, self.head]:
            if process:
                self.kill(process)


@pytest.fixture(scope="module")
def cluster():
    cluster = Cluster().start()
    yield cluster
    cluster.stop()


def command(cluster, source, out, *more):
    script = [sys.executable, str(pathlib.Path(corpus_program.__file__)), "run", str(source)]
    return script + ["--address", cluster.address, "--out", str(out), "--program", PROGRAM, *more]


def run(cluster, source, out, *more):
    """Runs to the end; the exit code and what was said."""
    done = subprocess.run(command(cluster, source, out, *more), capture_output=True, text=True, timeout=240)
    return done.returncode, done.stdout + done.stderr


def rows(out):
    """Rows by case; each is there once."""
    found = list(Dataset(str(out)).rows())
    assert len(found) == len({case(row) for row in found}), "a case is there twice"
    return {case(row): row for row in found}


def tight(row):
    return {key: value for key, value in row.items() if key not in LOOSE}


def assert_equal(found, plain):
    assert found.keys() == plain.keys()
    for name, row in found.items():
        assert tight(row) == tight(plain[name]), name


def wait_for_rows(out, process, count=1):
    """Until some parts are written."""
    deadline = time.time() + 120
    while len(Dataset(str(out)).files()) < count:
        assert process.poll() is None and time.time() < deadline, "nothing is written"
        time.sleep(0.05)


def test_the_same_as_plain_conform_and_only_once(cluster, corpus, plain, tmp_path):
    code, said = run(cluster, corpus, tmp_path / "out", "--batch", "8")
    assert code == 0, said
    assert_equal(rows(tmp_path / "out"), plain)
    assert {row["status"] for row in plain.values()} >= {"exact"}
    before = Dataset(str(tmp_path / "out")).files()
    code, said = run(cluster, corpus, tmp_path / "out", "--batch", "5")
    assert code == 0 and "0 cases done now" in said, said
    # Files that were only touched are looked at again, and found to be the same.
    os.utime(next(corpus.glob("demo/**/*.cap.zst")))
    code, said = run(cluster, corpus, tmp_path / "out")
    assert code == 0 and "0 cases done now" in said, said
    assert Dataset(str(tmp_path / "out")).files() == before


def test_a_worker_is_killed(cluster, corpus, plain, tmp_path):
    out = tmp_path / "out"
    driver = subprocess.Popen(command(cluster, corpus, out, "--batch", "4"))
    wait_for_rows(out, driver)
    cluster.kill(cluster.workers.pop())
    assert driver.poll() is None, "it ended before"
    cluster.workers.append(cluster.add_worker())
    assert driver.wait(timeout=240) == 0
    assert_equal(rows(out), plain)
    cluster.wait_for_workers()


def test_a_capture_that_hangs_is_quarantined(cluster, corpus, plain, tmp_path):
    entries = json.loads((corpus / "index.json").read_text())["entries"][:20]
    pipe = tmp_path / "pipe.cap.zst"
    os.mkfifo(pipe)
    for entry in entries:
        entry["golden"] = str(corpus / entry["golden"]) if "golden" in entry else None
    entries.insert(7, {"suite": "suite 0", "test": "pipe", "capture": str(pipe)})
    manifest = tmp_path / "manifest.jsonl"
    manifest.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    out = tmp_path / "out"
    code, said = run(cluster, manifest, out, "--batch", "8", "--timeout", "2", "--retries", "2")
    assert code == 1 and "quarantined after 2 attempts: suite 0/pipe" in said, said
    found = rows(out)
    poison = found.pop("suite 0/pipe")
    assert (poison["status"], poison["failure"], poison["quarantined"], poison["attempts"]) == ("error", "timeout", True, 2)
    assert len(list((out / "quarantine").glob("*.json"))) == 1
    assert len(found) == 20
    for name, row in found.items():
        assert tight(row) == tight(plain[name])
    code, said = run(cluster, manifest, out, "--timeout", "2")
    assert code == 0 and "0 cases done now" in said, said


def test_a_disk_is_full(cluster, corpus, plain, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "none", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("no right to mount a small disk")
    try:
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(520 << 10))
        code, said = run(cluster, corpus, disk / "out", "--batch", "8", "--retries", "2")
        assert code == 2 and "No space left" in said, said
        assert len(rows(disk / "out")) < len(plain)
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        ballast.unlink()
        code, said = run(cluster, corpus, disk / "out", "--batch", "8")
        assert code == 0, said
        assert_equal(rows(disk / "out"), plain)
    finally:
        subprocess.run(["umount", str(disk)], check=False)


def test_the_head_is_restarted(corpus, plain, tmp_path):
    cluster, out = Cluster().start(), tmp_path / "out"
    try:
        driver = subprocess.Popen(command(cluster, corpus, out, "--batch", "4"))
        wait_for_rows(out, driver)
        cluster.stop()
        assert driver.poll() is None, "it ended before"
        cluster.start()
        assert driver.wait(timeout=240) == 0
        assert_equal(rows(out), plain)
    finally:
        cluster.stop()


def few(corpus, place):
    """A corpus of a few captures in a folder of its own, with an index that names neighbours."""
    entries = []
    for entry in json.loads((corpus / "index.json").read_text())["entries"][:6]:
        for key in ("capture", "golden"):
            if entry.get(key):
                shutil.copy(corpus / entry[key], place)
                entry[key] = pathlib.Path(entry[key]).name
        entries.append(entry)
    (place / "index.json").write_text(json.dumps({"entries": entries}))


def assert_equal_but_for_places(found, plain, start):
    """The same rows, with names that begin with ``start``."""
    assert len(found) == 6
    for name, row in found.items():
        assert row["capture"].startswith(start), row["capture"]
        ours, theirs = tight(row), tight(plain[name])
        for key in ("capture", "expected"):
            ours.pop(key), theirs.pop(key)
        assert ours == theirs


def test_captures_from_a_web_server(cluster, corpus, plain, tmp_path):
    pytest.importorskip("aiohttp")
    place, port = tmp_path / "web", free_port()
    place.mkdir()
    few(corpus, place)
    source = f"http://127.0.0.1:{port}/index.json"
    with server(port, sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", cwd=place):
        code, said = run(cluster, source, tmp_path / "out", "--batch", "2")
    assert code == 0, said
    assert_equal_but_for_places(rows(tmp_path / "out"), plain, f"http://127.0.0.1:{port}/")


def test_captures_and_results_in_an_object_store(cluster, corpus, plain, tmp_path):
    """moto plays S3: the protocol is the store's own."""
    s3fs = pytest.importorskip("s3fs")
    pytest.importorskip("moto")
    few(corpus, tmp_path)
    port = STORE.rsplit(":", 1)[1]
    with server(int(port), sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", port):
        store = s3fs.S3FileSystem(endpoint_url=STORE)
        store.mkdir("bucket")
        store.put(str(tmp_path) + "/", "bucket/captures", recursive=True)
        code, said = run(cluster, "s3://bucket/captures", "s3://bucket/results", "--batch", "2")
        assert code == 0, said
        assert_equal_but_for_places(rows("s3://bucket/results"), plain, "s3://bucket/captures/")
        code, said = run(cluster, "s3://bucket/captures", "s3://bucket/results")
        assert code == 0 and "0 cases done now" in said, said
