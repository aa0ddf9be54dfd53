package packer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// line returns text as one line of a pack: cleaned, with every run of white
// space folded to one space, and escaped.
func line(text string) string {
	return escaped.Replace(strings.Join(strings.Fields(clean(text)), " "))
}

// block returns text that may have several lines. Lines after the first one are
// indented, so that no text of an object ever starts a line of the pack, where
// it could pass for an entry, or for a turn of the conversation.
func block(text string) string {
	var lines []string
	for l := range strings.SplitSeq(clean(text), "\n") {
		if l = strings.TrimRightFunc(l, unicode.IsSpace); strings.TrimSpace(l) != "" {
			lines = append(lines, escaped.Replace(l))
		}
	}
	if len(lines) > 0 {
		lines[0] = strings.TrimSpace(lines[0])
	}
	return strings.Join(lines, "\n  ")
}

// escaped replaces the five characters that XML reserves.
var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

// unescaped is the other way.
var unescaped = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'")

// clean returns text without what a reader does not see or a terminal obeys:
// control characters, escape sequences, direction marks, zero-width and other
// invisible characters. Line ends of any kind become "\n", bytes that are no
// UTF-8 the replacement character.
func clean(text string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == '\x1b' || r == '\u009b' {
			i += sequenceLength(text[i:])
			continue
		}
		if r == '\r' && strings.HasPrefix(text[i+1:], "\n") {
			size++
		}
		i += size
		if r = resources.Visible(r); r >= 0 {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isPlain reports whether text is printable ASCII and newlines: most of it is.
func isPlain(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; (c < ' ' && c != '\n') || c >= 0x7f {
			return false
		}
	}
	return true
}

// sequenceLength returns how many bytes the terminal escape sequence at the
// start of text takes: CSI up to its final byte, strings (OSC, DCS, ...) up to
// their terminator, anything else ESC and its final byte. One without an end is
// taken for ESC alone, so that it hides nothing that follows.
func sequenceLength(text string) int {
	body, introducer := text[1:], byte('[')
	if text[0] != '\x1b' { // the one-character form of ESC [
		body = text[2:]
	} else if body != "" {
		introducer, body = body[0], body[1:]
	}
	start := len(text) - len(body)
	switch introducer {
	case '[':
		return start + csiLength(body)
	case ']', 'P', 'X', '^', '_':
		return start + stringLength(body)
	}
	if introducer < ' ' || introducer > '~' || start == 1 {
		return 1
	}
	return start
}

// csiLength returns the length of parameters, intermediates and final byte.
func csiLength(body string) int {
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c >= 0x40 && c <= 0x7e:
			return i + 1
		case c < 0x20 || c > 0x3f:
			return i
		}
	}
	return len(body)
}

// stringLength returns the length up to and with BEL or ESC \, or 0 if there is
// neither on the same line.
func stringLength(body string) int {
	for i := 0; i < len(body) && body[i] != '\n'; i++ {
		if body[i] == '\a' {
			return i + 1
		}
		if strings.HasPrefix(body[i:], "\x1b\\") {
			return i + 2
		}
	}
	return 0
}
