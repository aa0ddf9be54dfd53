package terminal

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Count formats a number with its noun: "1 file", "2 files".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Is reports whether w may be a terminal. It is true for any character device, such as /dev/null,
// where this makes no difference.
func Is(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// ColourModes are the values of --color.
var ColourModes = []string{"auto", "always", "never"}

// ColourMode is one of ColourModes. The zero value means auto.
type ColourMode string

// Set sets the mode from the value of --color.
func (m *ColourMode) Set(mode string) error {
	if !slices.Contains(ColourModes, mode) {
		return fmt.Errorf("unknown value; use %s", strings.Join(ColourModes, ", "))
	}
	*m = ColourMode(mode)
	return nil
}

// For reports whether output to w has colour. In mode auto it has if w is a terminal, NO_COLOR is
// not set, and TERM is not "dumb".
func (m ColourMode) For(w io.Writer) bool {
	if m == "always" || m == "never" {
		return m == "always"
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && Is(w)
}

// phaseColours maps phases to the parameters of terminal colours.
var phaseColours = map[string]string{
	"completed": "32", "active": "36;1", "review": "35", "blocked": "33", "failed": "31", "Invalid": "31;1", "missing": "31", "archived": "31", "abandoned": "2",
}

// PaintPhase returns text in the colour of a phase, or unchanged if the phase has none.
func PaintPhase(text, phase string) string {
	colour, known := phaseColours[phase]
	if !known {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// Unicode reports whether the locale's encoding is UTF-8.
func Unicode() bool {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := os.Getenv(name); value != "" {
			value = strings.ToLower(value)
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return false
}

// Wrap breaks a paragraph into lines of at most columns characters, at blanks. All lines but the
// first begin with indent. A longer word gets a separate line.
func Wrap(text string, columns int, indent string) string {
	var b strings.Builder
	width := 0
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+n > columns:
			b.WriteString("\n" + indent)
			width = utf8.RuneCountInString(indent)
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += n
	}
	return b.String()
}
