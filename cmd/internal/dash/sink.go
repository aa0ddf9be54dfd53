package dash

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/gdamore/tcell/v3"
	"github.com/gdamore/tcell/v3/color"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
)

// look is what a text is, from which it follows how it is drawn.
type look int

const (
	plain   look = iota
	quiet        // ages, hints
	strong       // headings
	good         // done
	working      // active
	waiting      // waits, review
	bad          // failed, denied
	urgent       // somebody waits for the person
)

// canvas is where everything is drawn, and the only thing that writes to the screen: nothing reaches
// it but through text, which shows what a terminal would act on, and does not send it.
type canvas struct {
	screen  tcell.Screen
	unicode bool
	colour  bool
}

// style is how a look is drawn: signs carry the meaning, colour only helps.
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

// text writes as much of a text as fits into some columns, the rest of them blank, and returns how
// many it took.
func (c canvas) text(x, y, columns int, s string, style tcell.Style) int {
	if columns <= 0 {
		return 0
	}
	s = c.fit(s, columns)
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

// longest is how many bytes of a text are looked at for each column that it may take.
const longest = 64

// fit is a text that takes no more than some columns, with nothing in it that a terminal acts on.
func (c canvas) fit(s string, columns int) string {
	if len(s) > longest*columns {
		s = s[:longest*columns]
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

// oneMark leaves of what is drawn above one another the first few: a cell can hold no tower. Of emoji that
// are joined the first stands for all, without the form that it is wanted in: terminals do not agree how
// many columns those take.
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

// joiner joins what stands before and behind it.
const joiner = "\u200d"

// noForm leaves out the characters that choose between forms of the one before.
func noForm(r rune) rune {
	if r >= 0xfe00 && r <= 0xfe0f {
		return -1
	}
	return r
}

func firstRunes(s string, most int) string {
	for i := range s {
		if most--; most < 0 {
			return s[:i]
		}
	}
	return s
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// ascii is a text for a terminal that shows nothing else.
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

// wide is how many columns a text takes, as it is drawn.
func (c canvas) wide(s string) int {
	return displaywidth.String(c.fit(s, 1000))
}

// rule draws a line across.
func (c canvas) rule(x, y, columns int) {
	glyph := "─"
	if !c.unicode {
		glyph = "-"
	}
	for k := range columns {
		c.screen.Put(x+k, y, glyph, c.style(quiet, false))
	}
}

// bar draws a line down.
func (c canvas) bar(x, y, rows int) {
	glyph := "│"
	if !c.unicode {
		glyph = "|"
	}
	for k := range rows {
		c.screen.Put(x, y+k, glyph, c.style(quiet, false))
	}
}

// title names the window.
func (c canvas) title(s string) { c.screen.SetTitle(c.fit(s, 60)) }
