// Package outcomes reads in what a build, a test run or git printed what came of it, by the closing
// lines that its kind of program ends with. It is pure: texts in, a few words out. It uses no
// regular expressions, since the hook links it.
package outcomes

import (
	"fmt"
	"strings"
)

// MaxRead is how much of an output is read, in bytes, from its end.
const MaxRead = 64 << 10

// OfCommand says in a few words what came of a build or test command that printed this, such as
// "4 passed, 0 failed", or "Error 2" of make; "" if nothing in it tells.
func OfCommand(printed string) string {
	lines := closing(printed)
	for _, f := range formats {
		if text := f.read(lines); text != "" {
			return text
		}
	}
	return last(lines, makeError)
}

// OfGit says in a few words what a git command changed that printed this, such as
// "2 files changed, 3 insertions(+)"; "" if it does not tell.
func OfGit(printed string) string { return last(closing(printed), filesChanged) }

// closing are the last lines of what was printed, without colours.
func closing(printed string) []string {
	return strings.Split(plain(printed[max(0, len(printed)-MaxRead):]), "\n")
}

// plain leaves out what sets colours, and carriage returns.
func plain(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "\x1b[")
		b.WriteString(before)
		if !found {
			return strings.ReplaceAll(b.String(), "\r", "")
		}
		text = strings.TrimLeft(after, "0123456789;")
		text = text[min(1, len(text)):] // the letter that ends it
	}
}

// last is what is read in the last line in which something is.
func last(lines []string, read func(line string) string) (text string) {
	for _, line := range lines {
		if found := read(line); found != "" {
			text = found
		}
	}
	return text
}

// makeError reads "make: *** [Makefile:9: all] Error 2".
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

// filesChanged reads " 2 files changed, 3 insertions(+), 1 deletion(-)".
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

func isChange(what string) bool {
	switch what {
	case "file changed", "files changed", "insertion(+)", "insertions(+)", "deletion(-)", "deletions(-)":
		return true
	}
	return false
}
