package packer

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// line returns text as one line of a pack: cleaned, with every run of white
// space folded to one space, and escaped.
func line(text string) string {
	return escaped.Replace(strings.Join(strings.Fields(clean(text)), " "))
}

// attribute returns text as the value of an attribute.
func attribute(text string) string {
	return quoted.Replace(strings.Join(strings.Fields(clean(text)), " "))
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

// escaped replaces what XML reserves between tags: a quotation mark ends nothing there, and costs as much as a
// word if it is written in other ways. quoted replaces what it reserves in attributes.
var (
	escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	quoted  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")
)

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
			i += len(sequence().FindString(text[i:]))
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

// sequence is a terminal's escape sequence: CSI, as one character too, up to its final byte;
// strings (OSC, DCS, ...) up to their terminator on the same line; anything else ESC and its final
// byte. One without an end is taken for its beginning alone, so that it hides nothing that follows.
var sequence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:\x1b\[|\x{9b})[ -?]*[@-~]?|\x1b[\]PX^_](?:[^\n]*?(?:\a|\x1b\\))?|\x1b[ -~]?)`)
})
