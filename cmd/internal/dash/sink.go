package dash

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/gdamore/tcell/v3"
	"github.com/gdamore/tcell/v3/color"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
)

// look is the meaning of a text, which determines its style.
type look int

const (
	plain   look = iota
	quiet        // ages, hints
	strong       // headings
	good         // done
	working      // active
	waiting      // waits, review
	bad          // failed, denied
	urgent       // an agent waits for the user
)

// canvas draws on the screen. All text is drawn by its method text, which escapes control
// characters.
type canvas struct {
	screen  tcell.Screen
	unicode bool
	colour  bool
}

// style returns the style of a look. Colour is optional, because signs carry the meaning.
func (c canvas) style(l look, selected bool) tcell.Style {
	s := tcell.StyleDefault
	colours := [...]color.Color{good: color.Green, working: color.Blue, waiting: color.Olive, bad: color.Maroon, urgent: color.Purple}
	switch {
	case l == strong || l == urgent:
		s = s.Bold(true)
	case l == quiet && c.colour:
		s = s.Dim(true)
	}
	if c.colour && int(l) < len(colours) && l >= good {
		s = s.Foreground(colours[l])
	}
	return s.Reverse(selected)
}

// text draws a text cut to a number of columns, pads it with blanks, and returns its width.
func (c canvas) text(x, y, columns int, s string, style tcell.Style) int {
	if columns <= 0 {
		return 0
	}
	s = c.fitText(s, columns)
	at := 0
	for s != "" && at < columns {
		rest, width := c.screen.Put(x+at, y, s, style)
		if width <= 0 || len(rest) >= len(s) {
			break
		}
		s, at = rest, at+width
	}
	for k := at; k < columns; k++ {
		c.screen.Put(x+k, y, " ", style)
	}
	return at
}

// maxBytesPerColumn is the maximal number of bytes of a text for each column.
const maxBytesPerColumn = 64

// fitText escapes a text and cuts it to a number of columns.
func (c canvas) fitText(s string, columns int) string {
	if len(s) > maxBytesPerColumn*columns {
		s = s[:maxBytesPerColumn*columns]
	}
	s = oneMark(terminal.EscapeLine(s))
	tail := "…"
	if !c.unicode {
		s, tail = ascii(s), "~"
	}
	if displaywidth.String(s) > columns {
		s = displaywidth.TruncateString(s, columns, tail)
	}
	return s
}

// oneMark limits the combining characters of each character. It replaces a sequence of joined emoji
// by its first emoji without variation selectors, because terminals disagree about its width.
func oneMark(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for g := displaywidth.StringGraphemes(s); g.Next(); {
		first, _, _ := strings.Cut(g.Value(), joiner)
		b.WriteString(firstRunes(strings.Map(noForm, first), 8))
	}
	return b.String()
}

// joiner is the zero-width joiner.
const joiner = "\u200d"

// noForm removes variation selectors.
func noForm(r rune) rune {
	if r >= 0xfe00 && r <= 0xfe0f {
		return -1
	}
	return r
}

// firstRunes returns at most most characters from the beginning of s.
func firstRunes(s string, most int) string {
	for i := range s {
		if most--; most < 0 {
			return s[:i]
		}
	}
	return s
}

// isASCII reports whether s contains only ASCII characters.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// ascii replaces the characters that are not ASCII: dots and dashes by similar ones, others by a
// question mark.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			return r
		case r == '…':
			return '~'
		case r == '·' || r == '–':
			return '-'
		}
		return '?'
	}, s)
}

// wide returns the width of a text in columns.
func (c canvas) wide(s string) int {
	return displaywidth.String(c.fitText(s, 1000))
}

// rule draws a horizontal line.
func (c canvas) rule(x, y, columns int) {
	glyph := "─"
	if !c.unicode {
		glyph = "-"
	}
	for k := range columns {
		c.screen.Put(x+k, y, glyph, c.style(quiet, false))
	}
}

// bar draws a vertical line.
func (c canvas) bar(x, y, rows int) {
	glyph := "│"
	if !c.unicode {
		glyph = "|"
	}
	for k := range rows {
		c.screen.Put(x, y+k, glyph, c.style(quiet, false))
	}
}

// title sets the title of the window.
func (c canvas) title(s string) { c.screen.SetTitle(c.fitText(s, 60)) }

// keyNames names the keys that type no text.
var keyNames = map[tcell.Key]string{
	tcell.KeyUp: "up", tcell.KeyDown: "down", tcell.KeyLeft: "left", tcell.KeyRight: "right", tcell.KeyEnter: "enter", tcell.KeyEscape: "esc",
	tcell.KeyTab: "tab", tcell.KeyBacktab: "backtab", tcell.KeyPgUp: "pgup", tcell.KeyPgDn: "pgdn", tcell.KeyHome: "home", tcell.KeyEnd: "end",
	tcell.KeyBackspace: "backspace", tcell.KeyDelete: "delete",
}

// keyName returns the name of a key in the table of commands: "a", "enter", "ctrl-k". It is empty
// for an unsupported key.
func keyName(ev *tcell.EventKey) string {
	if name := keyNames[ev.Key()]; name != "" {
		return name
	}
	switch k := ev.Key(); {
	case k >= tcell.KeyCtrlA && k <= tcell.KeyCtrlZ:
		return "ctrl-" + string(rune('a'+k-tcell.KeyCtrlA))
	case k == tcell.KeyRune && ev.Modifiers()&tcell.ModCtrl != 0:
		return "ctrl-" + strings.ToLower(ev.Str())
	case k == tcell.KeyRune && ev.Modifiers()&(tcell.ModAlt|tcell.ModMeta) == 0:
		return ev.Str()
	}
	return ""
}

// named reports whether a key has a name and types no text.
func named(k string) bool {
	for _, name := range keyNames {
		if k == name {
			return true
		}
	}
	return k == "" || strings.HasPrefix(k, "ctrl-") && utf8.RuneCountInString(k) == 6
}
