"""Arrays of all sorts: handled, or a ValueError that says what is wrong."""

import math
import multiprocessing
import os
import sys
import threading
import time

import numpy
import pytest
import tanglewood

FUNCTIONS = {
    "decode": tanglewood.decode,
    "kbest": lambda scores, **options: tanglewood.kbest(scores, 3, **options),
    "marginals": tanglewood.marginals,
    "log_partition": tanglewood.log_partition,
    "entropy": tanglewood.entropy,
    "sample": lambda scores, **options: tanglewood.sample(scores, 2, **options),
}


def test_strides_make_no_difference(random):
    scores = random.normal(size=(2, 6, 6))
    expected = tanglewood.decode(scores)[0].tolist()
    wide = numpy.zeros((4, 12, 18))
    wide[::2, ::2, ::3] = scores
    backwards = scores[:, ::-1, ::-1].copy()[:, ::-1, ::-1]
    transposed = numpy.ascontiguousarray(scores.transpose(0, 2, 1)).transpose(0, 2, 1)
    for view in [wide[::2, ::2, ::3], numpy.asfortranarray(scores), backwards, transposed]:
        assert not view.flags.c_contiguous
        assert tanglewood.decode(view)[0].tolist() == expected
    repeated = numpy.broadcast_to(scores[0], (3, 6, 6))
    assert tanglewood.decode(repeated)[0].tolist() == [expected[0]] * 3
    scores.flags.writeable = False
    assert tanglewood.decode(scores)[0].tolist() == expected


def test_types_of_numbers(random):
    scores = random.integers(-9, 9, size=(5, 5))
    expected = tanglewood.decode(scores.astype(float))[1]
    for dtype in ["i1", "i4", "i8", "f2", "f4", "f8", ">f4", ">f8", "longdouble"]:
        assert tanglewood.decode(scores.astype(dtype))[1] == expected
    assert tanglewood.decode(scores.tolist())[1] == expected
    assert tanglewood.marginals(scores.astype(numpy.float32)).dtype == numpy.float32
    assert tanglewood.marginals(scores).dtype == numpy.float64
    packed = numpy.zeros(5 * 5 * 8 + 1, dtype=numpy.uint8)[1:].view(numpy.float64).reshape(5, 5)
    assert not packed.flags.aligned
    packed[:] = scores
    assert tanglewood.decode(packed)[1] == expected
    for wrong in [scores.astype(complex), scores.astype(str), scores.astype(object), "text", None, {}, [[1, 2], [3]]]:
        with pytest.raises(ValueError, match="expected"):
            tanglewood.decode(wrong)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (3, 3, 2), (0, 0), (2, 0, 0), (1, 1, 3, 3)])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_wrong_shapes(shape, function):
    with pytest.raises(ValueError, match="expected"):
        FUNCTIONS[function](numpy.zeros(shape))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_empty_batch_has_an_empty_answer(function):
    answer = FUNCTIONS[function](numpy.zeros((0, 5, 5)))
    for array in answer if isinstance(answer, tuple) else [answer]:
        assert array.shape[0] == 0
    assert tanglewood.decode(numpy.zeros((0, 5, 5)))[0].shape == (0, 4)


def test_sentences_without_words():
    with pytest.raises(ValueError, match="no tree"):
        tanglewood.decode(numpy.zeros((1, 1)))
    for system in ["any", "mh4+"]:
        heads, score = tanglewood.decode(numpy.zeros((1, 1)), system, single_root=False)
        assert heads.shape == (0,) and score == 0


def test_lengths():
    scores = numpy.zeros((2, 4, 4))
    with pytest.raises(ValueError, match="element 1 of the batch: a length of 4; expected 0 to 3"):
        tanglewood.decode(scores, lengths=[3, 4])
    with pytest.raises(ValueError, match="element 0 of the batch: a length of -1"):
        tanglewood.decode(scores, lengths=[-1, 3])
    with pytest.raises(ValueError, match="1 lengths; expected 2"):
        tanglewood.decode(scores, lengths=[3])
    with pytest.raises(ValueError, match="lengths"):
        tanglewood.decode(scores, lengths=[1.5, 2])
    with pytest.raises(ValueError, match="lengths"):
        tanglewood.decode(scores, lengths="ab")
    assert tanglewood.decode(scores[0], lengths=2)[0].shape == (2,)


@pytest.mark.parametrize("wrong", [numpy.nan, numpy.inf, 1e301, -1e301])
def test_what_is_no_score(wrong):
    scores = numpy.zeros((3, 4, 4))
    scores[1, 2, 3] = wrong
    with pytest.raises(ValueError, match="element 1 of the batch: the score of 2 → 3 is"):
        tanglewood.decode(scores)
    # Column 0 and the diagonal are not looked at.
    scores = numpy.zeros((4, 4))
    scores[:, 0] = wrong
    numpy.fill_diagonal(scores, wrong)
    assert tanglewood.decode(scores)[1] == 0


def test_random_arrays_crash_nothing(random):
    """Whatever comes: an answer in which each column sums to one, or a ValueError."""
    values = [0.0, 1.0, -1.0, 1e-300, 1e30, -1e30, 700.0, 1e300, -1e300, numpy.nan, numpy.inf, -numpy.inf]
    systems = ["any", "mh3", "mh4+", "mh5", "all", "all-s0s1+", "attardi:3", "s0>s1 s1>s0", "nonsense"]
    answers = 0
    for _ in range(600):
        words = int(random.integers(0, 7))
        shape = [int(random.integers(0, 4)), words + 1, words + 1]
        if random.random() < 0.1:
            shape[int(random.integers(0, 3))] += 1
        scores = random.normal(size=shape) * 10.0 ** random.integers(-3, 4)
        odd = random.random(size=shape) < random.choice([0.0, 0.05, 0.5])
        # Half of the time only what may be there.
        allowed = values if random.random() < 0.5 else [0.0, 1e5, -1e5, 1e30, -1e30, 1e15, 1e300, -numpy.inf]
        scores[odd] = random.choice(allowed, size=int(odd.sum()))
        if random.random() < 0.3:
            with numpy.errstate(over="ignore"):
                scores = scores.astype(numpy.float32)
        options = {
            "system": str(random.choice(systems)),
            "direction": str(random.choice(["ltr", "rtl", "either"])),
            "single_root": bool(random.random() < 0.7),
        }
        if random.random() < 0.5:
            options["lengths"] = random.integers(-1 if random.random() < 0.1 else 0, words + 1, size=shape[0]).tolist()
        if random.random() < 0.2:
            options["forbidden"] = random.random(size=shape) < 0.2
        for name, function in FUNCTIONS.items():
            try:
                answer = function(scores, **options)
            except ValueError as error:
                assert str(error)
                continue
            answers += 1
            if name == "marginals":
                lengths = options.get("lengths", [words] * shape[0])
                for element, length in zip(answer, lengths):
                    assert numpy.allclose(element[:, 1 : length + 1].sum(axis=0), 1, atol=1e-5)
                    assert (element[length + 1 :] == 0).all()
            if name == "decode":
                for heads in answer[0]:
                    tanglewood.Tree([head for head in heads if head >= 0])
    assert answers > 300


def test_other_threads_run_while_decoding(random):
    """Python's lock is released: another thread counts while this one decodes."""
    scores = random.normal(size=(4, 121, 121))
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.perf_counter()
    tanglewood.marginals(scores, "mh4+", threads=1)
    end = time.perf_counter()
    done.set()
    thread.join()
    inside = [moment for moment in counted if start < moment < end]
    assert end - start > 0.02, "too fast for this test: take longer sentences"
    assert len(inside) >= 3


def cpu_times():
    """Clock ticks spent by each thread that works on batches."""
    times = {}
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/stat") as file:
            name, fields = file.read().split("(", 1)[1].rsplit(")", 1)
        if name.startswith("tanglewood-"):
            times[task] = int(fields.split()[11])
    return times


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="threads cannot be watched on this system")
def test_a_batch_uses_all_cores_unless_told_otherwise(random):
    scores = random.normal(size=(48, 61, 61))

    def busy(threads):
        before = cpu_times()
        answer = tanglewood.marginals(scores, "mh4+", threads=threads)
        after = cpu_times()
        return sum(after[task] - before.get(task, 0) >= 2 for task in after), len(after), answer

    many, threads, expected = busy(None)
    # With very many cores there is too little to do for each.
    assert min(threads, 4) <= many <= threads
    one, _, answer = busy(1)
    assert one == 0, "the calling thread does it alone"
    assert (answer == expected).all()


def _child(queue, scores):
    queue.put(tanglewood.decode(scores)[1].tolist())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_process_has_threads_of_its_own(random):
    scores = random.normal(size=(8, 12, 12))
    expected = tanglewood.decode(scores)[1].tolist()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=_child, args=(queue, scores))
    process.start()
    assert queue.get(timeout=60) == expected
    process.join(60)
    assert process.exitcode == 0


def test_wrong_arguments_are_type_or_value_errors():
    scores = numpy.zeros((3, 3))
    for arguments in [{"threads": -1}, {"max_memory": -5}, {"system": 3}, {"forbidden": 7}, {"nonsense": 1}]:
        with pytest.raises((TypeError, ValueError, OverflowError)):
            tanglewood.decode(scores, **arguments)
    with pytest.raises(ValueError):
        tanglewood.kbest(scores, 0)
    assert tanglewood.decode(scores, threads=0)[1] == 0
    assert math.isfinite(tanglewood.log_partition(numpy.zeros((3, 3)), threads=10**9))
    assert sys.getrefcount(scores) < 10
