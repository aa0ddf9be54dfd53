package tools

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// How much of a command's output an answer holds, in bytes: the beginning says
// what ran, the end how it came out.
const (
	headOfOutput = 1000
	tailOfOutput = 3000
)

// ends keeps the beginning and the end of what is written to it.
type ends struct {
	mu         sync.Mutex // a process that was given up may still write
	head, tail []byte
	lost       int
	reported   int // how much of it all was told while it was written
}

func (e *ends) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := len(p)
	room := min(headOfOutput-len(e.head), len(p))
	e.head = append(e.head, p[:room]...)
	e.tail = append(e.tail, p[room:]...)
	if over := len(e.tail) - maxProgress; over > maxProgress { // move seldom
		e.lost += over
		e.tail = append(e.tail[:0], e.tail[over:]...)
	}
	return n, nil
}

// String is what is left, without what a terminal would act on.
func (e *ends) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	tail, lost := e.tail, e.lost
	if over := len(tail) - tailOfOutput; over > 0 {
		tail, lost = tail[over:], lost+over
	}
	text := string(e.head) + string(tail)
	if lost > 0 {
		for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		text = strings.ToValidUTF8(string(e.head), "") + fmt.Sprintf("\n[... %d bytes left out ...]\n", lost) + string(tail)
	}
	return shownOutput(text)
}

// sequence is what a terminal would act on: an escape and a character, or from ESC [ to a final one.
var sequence = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)\x1b(\[[^@-~]*([@-~]|$)|[^\[]|$)`) })

// shownOutput is output without escape sequences and control characters.
func shownOutput(s string) string {
	s = sequence().ReplaceAllString(strings.ToValidUTF8(s, "?"), "")
	return strings.TrimRight(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) {
			return r
		}
		return -1
	}, s), "\n")
}
