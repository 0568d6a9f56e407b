# SPDX-License-Identifier: MIT
"""leat-router --check: a good configuration is printed whole, and what is printed is one that says
the same; a bad one is refused with file, line and fix, and nothing is written."""
import os
import pathlib
import subprocess
import tempfile

ROUTER = os.environ["ROUTER"]
EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/router.conf"


def check(path, text=None, cwd=None):
    return subprocess.run([ROUTER, "--check", "-c", str(path)], input=text, cwd=cwd, text=True,
                          capture_output=True, timeout=60)


def good(path, text=None, cwd=None):
    result = check(path, text, cwd)
    assert result.returncode == 0 and not result.stderr, result
    return result.stdout


def body(text):
    return [line for line in text.splitlines() if not line.startswith("#")]


def the_example_is_printed_whole():
    out = good(EXAMPLE)
    assert out.startswith(f"# {EXAMPLE}: 3 interfaces, 20 routes, 16 next hops\n"), out
    for line in ("[interface wan]", "rate = 100M", "udp-timeout = 300s", "hairpin = yes",
                 "[class other]", "default = yes", "target = 5ms"):
        assert line in out.splitlines(), line


def what_is_printed_says_the_same():
    out = good(EXAMPLE)
    again = good("-", out, EXAMPLE.parent)
    assert body(again) == body(out)


def what_is_worth_a_look_is_a_comment(folder):
    path = folder / "r.conf"
    path.write_text("[interface a]\nside = outside\n[nat]\naddress = 192.0.2.1\nudp-timeout = 5s\n")
    out = good(path)
    assert f"# note: {path}:3: udp-timeout is below the 120 s that RFC 4787" in out, out


def what_is_wrong_names_file_line_and_fix(folder):
    path = folder / "r.conf"
    cases = [
        ("[interface a]\nmtu = 12\n", 2, "'12' is not a whole number from 68 to 65535", "mtu = 1500"),
        ("[interface a]\nspeed = 1\n", 2, "no key 'speed'", "address, side, rate, mtu, vlan"),
        ("[interface a]\nrate = 1M\nrate = 2M\n", 3, "set in line 2 already", "remove"),
        ("[interface a]\n[routes]\nroute = 1.0.0.0/8 - b\n", 3, "no interface 'b'", "name one of a"),
        ("[interface a]\n[routes]\nfile = gone.txt\n", 3, "gone.txt': No such file", "file of routes"),
    ]
    for text, line, says, fix in cases:
        path.write_text(text)
        result = check(path)
        assert result.returncode == 2 and not result.stdout, result
        error, hint = result.stderr.splitlines()
        assert error.startswith(f"leat-router: error: {path}:{line}: ") and says in error, error
        assert hint.startswith("leat-router: hint: ") and fix in hint, hint


def a_line_of_a_routes_file_is_named_too(folder):
    (folder / "routes.txt").write_text("# none\n10.0.0.0/8 - a\n10.0.0.1/8 - a\n")
    (folder / "r.conf").write_text("[interface a]\n[routes]\nfile = routes.txt\n")
    result = check(folder / "r.conf")
    assert result.returncode == 2, result
    assert f"{folder}/routes.txt:3: prefix '10.0.0.1/8' has bits set" in result.stderr, result.stderr
    assert "write 10.0.0.0/8" in result.stderr


def a_full_table_is_checked_in_no_time(folder):
    with open(folder / "routes.txt", "w", encoding="ascii") as f:
        for i in range(300000):
            f.write(f"{1 + i // 65536}.{i // 256 % 256}.{i % 256}.0/24 192.0.2.{i % 200} a\n")
    (folder / "r.conf").write_text("[interface a]\n[routes]\nfile = routes.txt\n")
    assert "1 interface, 300000 routes, 200 next hops" in good(folder / "r.conf")


with tempfile.TemporaryDirectory() as name:
    the_example_is_printed_whole()
    what_is_printed_says_the_same()
    what_is_worth_a_look_is_a_comment(pathlib.Path(name))
    what_is_wrong_names_file_line_and_fix(pathlib.Path(name))
    a_line_of_a_routes_file_is_named_too(pathlib.Path(name))
    a_full_table_is_checked_in_no_time(pathlib.Path(name))
