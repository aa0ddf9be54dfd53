// Package testoutput returns the result of a build, a test run or a git command in one
// line, such as "4 passed, 0 failed", from its output, based on the summary lines of common programs. All functions are pure. The
// package does not use regular expressions, to keep the hook binary small.
package testoutput

import (
	"fmt"
	"strings"
)

// MaxRead is the number of bytes at the end of an output that are read.
const MaxRead = 64 << 10

// OfCommand returns the result of a build or test command with an output, such as "4
// passed, 0 failed", or "Error 2" for make. It returns "" if the output contains no known
// summary.
func OfCommand(printed string) string {
	lines := closing(printed)
	for _, f := range formats {
		if text := f.summarize(lines); text != "" {
			return text
		}
	}
	return last(lines, makeError)
}

// OfGit returns the changes of a git command with an output, such as "2 files changed, 3
// insertions(+)", or "".
func OfGit(printed string) string { return last(closing(printed), filesChanged) }

// closing returns the last lines of an output without colors.
func closing(printed string) []string {
	return strings.Split(plain(printed[max(0, len(printed)-MaxRead):]), "\n")
}

// plain removes color sequences and carriage returns.
func plain(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "\x1b[")
		b.WriteString(before)
		if !found {
			return strings.ReplaceAll(b.String(), "\r", "")
		}
		text = strings.TrimLeft(after, "0123456789;")
		text = text[min(1, len(text)):] // the final letter of the sequence
	}
}

// last returns the result for the last line that has one.
func last(lines []string, read func(line string) string) (text string) {
	for _, line := range lines {
		if found := read(line); found != "" {
			text = found
		}
	}
	return text
}

// makeError parses "make: *** [Makefile:9: all] Error 2".
func makeError(line string) string {
	i := strings.LastIndex(line, " Error ")
	if i < 0 || !strings.HasPrefix(line, "make") || !strings.Contains(line, ": *** ") {
		return ""
	}
	if n, ok := number(line[i+len(" Error "):]); ok {
		return fmt.Sprintf("Error %d", n)
	}
	return ""
}

// filesChanged parses " 2 files changed, 3 insertions(+), 1 deletion(-)".
func filesChanged(line string) string {
	var parts []string
	for i, part := range strings.Split(strings.TrimSpace(line), ", ") {
		count, what, _ := strings.Cut(part, " ")
		_, isNumber := number(count)
		if !isNumber || !isChange(what) || (i == 0) != strings.HasSuffix(what, " changed") {
			return ""
		}
		parts = append(parts, part)
	}
	return strings.Join(parts[:min(len(parts), 3)], ", ")
}

// isChange reports whether words are a count of git's summary of changes.
func isChange(what string) bool {
	switch what {
	case "file changed", "files changed", "insertion(+)", "insertions(+)", "deletion(-)", "deletions(-)":
		return true
	}
	return false
}
