package testoutput

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What real programs end with.
var closings = []struct{ name, printed, want string }{
	{"go", "ok  \tgithub.com/a/b\t0.012s\nok  \tgithub.com/a/c\t(cached)\n?   \tgithub.com/a/d\t[no test files]\n", "packages: 2 passed, 0 failed"},
	{"go fails", "--- FAIL: TestX (0.00s)\n    x_test.go:3: no\nFAIL\nFAIL\tgithub.com/a/b\t0.002s\nok  \tgithub.com/a/c\t1.5s\nFAIL\n", "packages: 1 passed, 1 failed"},
	{"go does not build", "# a/b [a/b.test]\n./x.go:3:2: undefined: y\nFAIL\ta/b [build failed]\nFAIL\n", "packages: 0 passed, 1 failed"},
	{"cargo", "running 3 tests\ntest a ... ok\n\ntest result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n   Doc-tests x\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n", "4 passed, 0 failed, 1 skipped"},
	{"jest", "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 3 passed, 4 total\nSnapshots:   0 total\nTime:        0.5 s\n", "3 passed, 1 failed"},
	{"vitest, in colours", " \x1b[2mTest Files\x1b[22m  1 passed (1)\n \x1b[2m     Tests\x1b[22m  \x1b[1m\x1b[32m4 passed\x1b[39m\x1b[22m (4)\n", "4 passed, 0 failed"},
	{"pytest", "....F\n=========================== short test summary info ===\nFAILED t.py::test_a - assert 1 == 2\n========= 1 failed, 4 passed, 2 skipped in 0.12s =========\n", "4 passed, 1 failed, 2 skipped"},
	{"pytest -q", "....\n4 passed in 0.01s\n", "4 passed, 0 failed"},
	{"pytest warns", "4 passed, 2 warnings in 0.01s\n", "4 passed, 0 failed"},
	{"mocha", "  adds\n    ✔ one\n\n  2 passing (5ms)\n  1 failing\n", "2 passed, 1 failed"},
	{"node --test", "# tests 5\n# suites 0\n# pass 4\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 50.1\n", "4 passed, 1 failed"},
	{"unittest", "..F\n----\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n", "2 passed, 1 failed"},
	{"unittest, all well", "...\nRan 3 tests in 0.001s\n\nOK\n", "3 passed, 0 failed"},
	{"eslint", "a.js\n  1:1  error  x\n\n✖ 3 problems (2 errors, 1 warning)\n", "errors: 2, warnings: 1"},
	{"tsc", "a.ts(1,7): error TS2322: no\n\nFound 2 errors in the same file, starting at: a.ts:1\n", "errors: 2"},
	{"make", "cc -c x.c\nmake[1]: *** [Makefile:3: x.o] Error 1\nmake: *** [Makefile:9: all] Error 2\n", "Error 2"},
	{"make runs tests", "ok  \ta/b\t0.1s\nmake: *** [Makefile:9: test] Error 2\n", "packages: 1 passed, 0 failed"},
	{"tsc into a pipe", "src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\nsrc/b.ts(2,1): error TS2304: Cannot find name 'x'.\n", "errors: 2"},
	{"rspec", "..F*\n\nFinished in 0.1 seconds (files took 0.2 seconds to load)\n12 examples, 2 failures, 1 pending\n", "9 passed, 2 failed, 1 skipped"},
	{"rspec, one", "Finished in 0.1 seconds\n1 example, 0 failures\n", "1 passed, 0 failed"},
	{"phpunit", "FAILURES!\nTests: 12, Assertions: 30, Errors: 1, Failures: 2, Skipped: 1.\n", "8 passed, 3 failed, 1 skipped"},
	{"phpunit, all well", "Time: 00:00.010, Memory: 6.00 MB\n\nOK (12 tests, 30 assertions)\n", "12 passed, 0 failed"},
	{"maven", "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s -- in a.BTest\n[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n[INFO] BUILD FAILURE\n", "2 passed, 2 failed, 1 skipped"},
	{"gradle", "> Task :test FAILED\n\nATest > b FAILED\n\n12 tests completed, 2 failed, 1 skipped\n\nBUILD FAILED in 3s\n", "9 passed, 2 failed, 1 skipped"},
	{"dotnet test", "Failed!  - Failed:     1, Passed:    10, Skipped:     2, Total:    13, Duration: 5 ms - a.dll (net8.0)\nPassed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 2 ms - b.dll (net8.0)\n", "13 passed, 1 failed, 2 skipped"},
	{"dotnet 10 test", "Test summary: total: 11, failed: 1, succeeded: 10, skipped: 0, duration: 1.2s\n", "10 passed, 1 failed"},
	{"dotnet build", "Build FAILED.\n\n    1 Warning(s)\n    2 Error(s)\n\nTime Elapsed 00:00:01.00\n", "errors: 2, warnings: 1"},
	{"swift, XCTest", "Test Suite 'ATests' failed at 2026-11-01 10:00:00.000.\n\t Executed 12 tests, with 1 test skipped and 2 failures (0 unexpected) in 0.010 (0.011) seconds\nTest Suite 'All tests' failed at 2026-11-01 10:00:00.000.\n\t Executed 12 tests, with 1 test skipped and 2 failures (0 unexpected) in 0.010 (0.012) seconds\n", "9 passed, 2 failed, 1 skipped"},
	{"swift testing", "\t Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.000) seconds\n✘ Test run with 12 tests in 2 suites failed after 0.001 seconds with 2 issues.\n", "10 passed, 2 failed"},
	{"cargo does not build", "error[E0308]: mismatched types\n\nerror: could not compile `shop` (bin \"shop\") due to 2 previous errors; 1 warning emitted\n", "errors: 2, warnings: 1"},
	{"a text that talks of tests", "I think that 3 passed and 4 failed\nTests are good\n", ""},
	{"nothing", "", ""},
}

func TestOfCommand(t *testing.T) {
	for _, c := range closings {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, OfCommand(c.printed)) })
	}
}

func TestOfGit(t *testing.T) {
	assert.Equal(t, "2 files changed, 3 insertions(+), 1 deletion(-)", OfGit("[main 1a2b3c4] add x\n 2 files changed, 3 insertions(+), 1 deletion(-)\n create mode 100644 x\n"))
	assert.Equal(t, "1 file changed", OfGit(" 1 file changed\n"))
	assert.Empty(t, OfGit("Everything up-to-date\n"))
}

func TestOnlyTheEndIsRead(t *testing.T) {
	assert.Empty(t, OfCommand("4 passed in 0.01s\n"+strings.Repeat("x\n", MaxRead)))
}

// Whatever is printed, what is said of it is short, in one line and of our own words.
func FuzzOfCommand(f *testing.F) {
	for _, c := range closings {
		f.Add(c.printed)
	}
	f.Fuzz(func(t *testing.T, printed string) {
		for _, said := range []string{OfCommand(printed), OfGit(printed)} {
			assert.Less(t, len(said), 200)
			assert.False(t, strings.ContainsAny(said, "\n\x1b<>&"), said)
		}
	})
}
