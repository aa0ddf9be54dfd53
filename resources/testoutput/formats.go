package testoutput

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// format is the format of the summary lines of a group of programs.
type format struct {
	closes  func(line string) bool // reports whether a line is part of the summary
	reverse bool                   // numbers follow their words
	lines   bool                   // each line counts one result, given by its first known word
	last    bool                   // only the last line counts, because it repeats the others
	say     func(counts) string
}

// formats lists the supported formats, as printed by the programs.
var formats = [...]format{
	{closes: goTest, lines: true, say: packages},
	{closes: starts("test result: "), say: tests}, // cargo test
	{closes: jest, say: tests},                    // also vitest
	{closes: pytest, say: tests},
	{closes: mocha, say: tests},
	{closes: nodeTest, reverse: true, say: tests},
	{closes: starts("Ran ", "FAILED ("), reverse: true, say: unittest},
	{closes: starts("✖ "), say: problems},                              // eslint
	{closes: starts("Found "), say: errors},                            // tsc
	{closes: contains("): error TS"), lines: true, say: errors},        // tsc into a pipe
	{closes: contains(" examples, ", " example, "), say: unittest},     // rspec
	{closes: contains(", Assertions: "), reverse: true, say: unittest}, // phpunit
	{closes: starts("OK ("), say: unittest},                            // phpunit, all passed
	{closes: maven, reverse: true, say: unittest},
	{closes: contains(" tests completed", " test completed"), say: unittest},                    // gradle
	{closes: starts("Failed!  - ", "Passed!  - ", "Test summary: "), reverse: true, say: tests}, // dotnet test
	{closes: contains(" Error(s)", " Warning(s)", " error(s) ", " warning(s) "), say: problems}, // dotnet build
	{closes: contains("Test run with "), last: true, say: unittest},                             // swift test, Swift Testing
	{closes: contains(" tests, with ", " test, with "), last: true, say: unittest},              // swift test, XCTest
	{closes: starts("error: could not compile "), last: true, say: problems},                    // cargo build
}

// counts contains the numbers of passed, failed and skipped tests, warnings, and executed
// tests.
type counts struct{ passed, failed, skipped, warned, ran int }

// countFor returns the counter for a word, or nil.
func (c *counts) countFor(word string) *int {
	switch strings.ToLower(word) {
	case "ok", "passed", "passing", "pass", "xpassed", "succeeded":
		return &c.passed
	case "fail", "failed", "failing", "error", "errors", "failure", "failures", "issue", "issues":
		return &c.failed
	case "skipped", "ignored", "pending", "todo", "xfailed":
		return &c.skipped
	case "warning", "warnings":
		return &c.warned
	case "ran", "run", "test", "tests", "example", "examples":
		return &c.ran
	}
	return nil
}

// summarize returns the result in the lines of a format, or "".
func (f format) summarize(lines []string) string {
	var c counts
	found := false
	fill := strings.NewReplacer(" previous ", " ", " test skipped", " skipped", " tests skipped", " skipped")
	for _, line := range lines {
		if f.closes(line) {
			if f.last {
				c = counts{}
			}
			found = f.add(strings.FieldsFunc(fill.Replace(line), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), &c) || found
		}
	}
	if !found {
		return ""
	}
	return f.say(c)
}

// add adds the numbers in one line, and reports whether there are any.
func (f format) add(words []string, c *counts) (found bool) {
	if f.lines {
		for _, word := range words {
			if n := c.countFor(word); n != nil {
				*n++
				return true
			}
		}
	}
	for i := 1; i < len(words); i++ {
		count, word := words[i-1], words[i]
		if f.reverse {
			count, word = word, count
		}
		if n, ok := number(count); ok && c.countFor(word) != nil {
			*c.countFor(word) += n
			found = true
		}
	}
	return found
}

// number parses a count of at most nine digits.
func number(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && len(text) < 10 && text[0] != '+'
}

// starts returns a function that reports whether a line starts with one of the prefixes.
func starts(with ...string) func(string) bool {
	return func(line string) bool {
		return slices.ContainsFunc(with, func(w string) bool { return strings.HasPrefix(line, w) })
	}
}

// contains returns a function that reports whether a line contains one of the texts.
func contains(texts ...string) func(string) bool {
	return func(line string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(line, text) })
	}
}

// maven matches "Tests run: 3, Failures: 0", the total of a module, without the lines of its classes.
func maven(line string) bool {
	return strings.Contains(line, "Tests run: ") && !strings.Contains(line, "Time elapsed: ")
}

// goTest matches "ok      a/b     0.1s" and "FAIL a/b [build failed]".
func goTest(line string) bool {
	fields := strings.Fields(line)
	if len(fields) < 3 || fields[0] != "ok" && fields[0] != "FAIL" {
		return false
	}
	return fields[2] == "(cached)" || fields[2] == "[build" || fields[2] == "[setup" || strings.HasSuffix(fields[2], "s") && unicode.IsDigit(rune(fields[2][0]))
}

// jest matches "Tests:       1 failed, 3 passed, 4 total" and "     Tests  4 passed (4)".
func jest(line string) bool {
	_, rest, found := strings.Cut(strings.TrimSpace(line), "Tests")
	fields := strings.Fields(strings.TrimPrefix(rest, ":"))
	return found && strings.HasPrefix(strings.TrimSpace(line), "Tests") && len(fields) > 1 && counted(fields)
}

// pytest matches "==== 1 failed, 4 passed in 0.12s ====" and "4 passed in 0.01s".
func pytest(line string) bool {
	line = strings.Trim(line, "= ")
	i := strings.LastIndex(line, " in ")
	return i > 0 && counted(strings.Fields(line)) && unicode.IsDigit(rune((line[i+len(" in "):] + " ")[0]))
}

// mocha reports whether a line is a summary of Mocha: " 2 passing (5ms)".
func mocha(line string) bool {
	fields := strings.Fields(line)
	return len(fields) > 1 && strings.HasSuffix(fields[1], "ing") && counted(fields)
}

// nodeTest matches "# pass 4" and "ℹ fail 1".
func nodeTest(line string) bool {
	fields := strings.Fields(line)
	return len(fields) == 3 && (fields[0] == "#" || fields[0] == "ℹ") && counted([]string{fields[2], fields[1]})
}

// counted reports whether fields begin with a number and a known word.
func counted(fields []string) bool {
	if len(fields) < 2 {
		return false
	}
	_, ok := number(fields[0])
	return ok && new(counts).countFor(strings.Trim(fields[1], ",;")) != nil
}

// tests formats the numbers of passed, failed and skipped tests.
func tests(c counts) string {
	text := fmt.Sprintf("%d passed, %d failed", c.passed, c.failed)
	if c.skipped > 0 {
		text += fmt.Sprintf(", %d skipped", c.skipped)
	}
	return text
}

// unittest is like tests, but computes the number of passed tests from the
// executed ones.
func unittest(c counts) string {
	c.passed = max(0, c.ran-c.failed-c.skipped)
	return tests(c)
}

// packages formats the numbers of passed and failed packages.
func packages(c counts) string {
	return fmt.Sprintf("packages: %d passed, %d failed", c.passed, c.failed)
}

// problems formats the numbers of errors and warnings.
func problems(c counts) string {
	return fmt.Sprintf("errors: %d, warnings: %d", c.failed, c.warned)
}

// errors formats the number of errors.
func errors(c counts) string { return fmt.Sprintf("errors: %d", c.failed) }
