package tools

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// These are the sizes, in bytes, of the parts of a command's output that an answer contains. The
// start shows what ran, and the end shows the result.
const (
	headSize = 1000
	tailSize = 3000
)

// truncatedOutput keeps the start and the end of the data written to it.
type truncatedOutput struct {
	mu         sync.Mutex // needed because an abandoned process may still write
	head, tail []byte
	dropped    int
	reported   int // the number of bytes that were already reported as progress
}

// Write adds output. It never fails.
func (e *truncatedOutput) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := len(p)
	room := min(headSize-len(e.head), len(p))
	e.head = append(e.head, p[:room]...)
	e.tail = append(e.tail, p[room:]...)
	if over := len(e.tail) - maxProgress; over > maxProgress { // move the data only rarely
		e.dropped += over
		e.tail = append(e.tail[:0], e.tail[over:]...)
	}
	return n, nil
}

// String returns the kept output without terminal control sequences.
func (e *truncatedOutput) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	tail, lost := e.tail, e.dropped
	if over := len(tail) - tailSize; over > 0 {
		tail, lost = tail[over:], lost+over
	}
	text := string(e.head) + string(tail)
	if lost > 0 {
		for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		text = strings.ToValidUTF8(string(e.head), "") + fmt.Sprintf("\n[... %d bytes left out ...]\n", lost) + string(tail)
	}
	return printable(text)
}

// escapeSequence matches terminal escape sequences: ESC and one character, or ESC [ up to a final
// character.
var escapeSequence = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)\x1b(\[[^@-~]*([@-~]|$)|[^\[]|$)`) })

// printable removes escape sequences and control characters from output.
func printable(s string) string {
	s = escapeSequence().ReplaceAllString(strings.ToValidUTF8(s, "?"), "")
	return strings.TrimRight(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) {
			return r
		}
		return -1
	}, s), "\n")
}
