package command

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// rewritten returns the output of a filter for known input, and a mark
// otherwise.
func (m *interpreter) rewritten(c *invocation) string {
	takes := "-d -f -c -e -A -F -v -in -out -k -K -pass -iter -md --expression -n -w --wrap -i --field-separator"
	switch c.name {
	case "base64", "gbase64", "base32":
		takes = "-i -o -w --wrap --input --output"
	case "xxd", "rev", "tr":
		takes = ""
	}
	o, in := c.optionsTaking(takes), unknown
	switch {
	case c.piped:
		in = c.stdin
	case len(o.operands) > 0 && c.name != "tr" && c.name != "openssl":
		in = m.contentOf(o.operands[len(o.operands)-1].text)
	}
	switch {
	case isKnown(in):
		return filtered(c, o, in)
	case strings.Contains(in, fetched):
		return fetched
	case strings.Contains(in, private) || m.readsSecret(c):
		return private
	case hasWord("sed gsed cut tr", c.name):
		return in
	}
	return unknown
}

// filtered returns the output of base64, xxd, rev, tr, sed and similar filters for a known input,
// or the mark unknown.
func filtered(c *invocation, o *parsedOptions, in string) string {
	switch c.name {
	case "base64", "gbase64", "openssl":
		if !o.has("-d -D --decode -base64 -a") && !literally(c.args, "-d -D --decode") {
			return base64.StdEncoding.EncodeToString([]byte(in)) + "\n"
		}
		return decoded(in)
	case "xxd":
		if o.has("-r") {
			return unhexed(in)
		}
	case "rev":
		var b strings.Builder
		for line := range strings.Lines(in) {
			body := []rune(strings.TrimSuffix(line, "\n"))
			slices.Reverse(body)
			b.WriteString(string(body) + line[len(strings.TrimSuffix(line, "\n")):])
		}
		return b.String()
	case "tr":
		return translated(in, o)
	case "sed", "gsed", "awk", "gawk", "envsubst": // unchanged parts of the input, other output is unknown
		return in + "\n" + putIn(o) + unknown
	}
	return unknown
}

// putIn returns the replacement texts in a sed script, one per line.
func putIn(o *parsedOptions) string {
	var b strings.Builder
	for _, script := range append(o.values("-e --expression"), plainTexts(o.operands)...) {
		if at := strings.IndexByte(script, 's'); at >= 0 && len(script) > at+2 {
			if parts := strings.Split(script[at+1:], script[at+1:at+2]); len(parts) > 2 {
				b.WriteString(parts[2] + "\n")
			}
		}
	}
	return b.String()
}

// decoded decodes a base64 text. It returns the mark unknown if the text is invalid.
func decoded(s string) string {
	s = strings.Join(strings.Fields(s), "")
	for _, e := range [...]*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if out, err := e.DecodeString(s); err == nil {
			return string(out)
		}
	}
	return unknown
}

// unhexed decodes a plain hex dump.
func unhexed(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.Join(strings.Fields(strings.NewReplacer(`\x`, "", "0x", "").Replace(line)), ""))
	}
	out, err := hex.DecodeString(b.String())
	if err != nil {
		return unknown
	}
	return string(out)
}

// translated returns the output of tr.
func translated(s string, o *parsedOptions) string {
	if len(o.operands) == 0 || o.has("-c -C --complement") {
		return unknown
	}
	sets := []string{spread(o.operands[0].text)}
	if len(o.operands) > 1 {
		sets = append(sets, spread(o.operands[1].text))
	}
	deletes, squeezes := o.has("-d --delete"), o.has("-s --squeeze-repeats")
	from, to := sets[0], sets[len(sets)-1]
	switch {
	case from == "" || to == "" || len(sets) == 1 && !deletes && !squeezes:
		return unknown
	case deletes:
		s = strings.Map(func(r rune) rune {
			if strings.ContainsRune(from, r) {
				return -1
			}
			return r
		}, s)
	case len(sets) > 1:
		out := []byte(s)
		for i, c := range out {
			if at := strings.LastIndexByte(from, c); at >= 0 { // of a repeated character tr uses the last
				out[i] = to[min(at, len(to)-1)]
			}
		}
		s = string(out)
	}
	if squeezes && (!deletes || len(sets) > 1) {
		// Each run of one character of the set becomes that character once.
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			if i == 0 || s[i] != s[i-1] || strings.IndexByte(to, s[i]) < 0 {
				b.WriteByte(s[i])
			}
		}
		s = b.String()
	}
	return s
}

// spread expands ranges and classes in a set of tr.
func spread(set string) string {
	set = unescaped(set, ansiC)
	set = strings.NewReplacer("[:upper:]", "A-Z", "[:lower:]", "a-z", "[:digit:]", "0-9", "[:space:]", " \t\n", "[:alpha:]", "A-Za-z").Replace(set)
	var b strings.Builder
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' && set[i+2] >= set[i] {
			for c := int(set[i]); c <= int(set[i+2]); c++ {
				b.WriteByte(byte(c))
			}
			i += 2
			continue
		}
		b.WriteByte(set[i])
	}
	return b.String()
}

// escaping is a kind of backslash syntax: that of $'...', of echo -e or of printf.
type escaping int

const (
	ansiC  escaping = iota // $'...'
	echoed                 // echo -e, %b of printf
	format                 // format of printf
)

// letters holds pairs of an escape letter and its character.
const letters = "a\ab\be\x1bE\x1bf\fn\nr\rt\tv\v\\\\\"\"??''"

// unescaped resolves backslash escapes in a text.
func unescaped(s string, by escaping) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		n := unescapedOne(&b, s[i:], by)
		i += n - 1
	}
	return b.String()
}

// unescapedOne writes the character of the escape that s begins with, without its backslash. It returns the number of
// bytes of s that the escape takes.
func unescapedOne(b *strings.Builder, s string, by escaping) int {
	nul := byte('\n') // text separator; $'...' ends at NUL
	if by == ansiC {
		nul = 0
	}
	switch c := s[0]; {
	case c == 'x':
		return coded(b, s, 1, 2, 16, false, nul)
	case c == 'u':
		return coded(b, s, 1, 4, 16, true, nul)
	case c == 'U':
		return coded(b, s, 1, 8, 16, true, nul)
	case c == '0' && by == echoed:
		return coded(b, s, 1, 3, 8, false, nul)
	case c >= '0' && c <= '7':
		return coded(b, s, 0, 3, 8, false, nul)
	case c == 'c' && by == ansiC && len(s) > 1:
		b.WriteByte(s[1] & 0x1f)
		return 2
	}
	for i := 0; i < len(letters); i += 2 {
		if letters[i] == s[0] {
			b.WriteByte(letters[i+1])
			return 1
		}
	}
	b.WriteString(`\` + s[:1])
	return 1
}

// coded writes the character whose code begins at from in s, with at most some
// digits. It returns the number of bytes of s that it takes.
func coded(b *strings.Builder, s string, from, digits, base int, wide bool, nul byte) int {
	end, valid := from, "01234567"
	if base == 16 {
		valid = "0123456789abcdefABCDEF"
	}
	for end < len(s) && end < from+digits && strings.IndexByte(valid, s[end]) >= 0 {
		end++
	}
	n, _ := strconv.ParseUint(s[from:end], base, 32)
	switch {
	case end == from && (from != 1 || base != 8):
		b.WriteString(`\` + s[:1])
	case byte(n) == 0 && !wide:
		b.WriteByte(nul)
	case !wide:
		b.WriteByte(byte(n))
	case utf8.ValidRune(rune(n)):
		b.WriteRune(rune(n))
	}
	return max(1, end)
}
