package command

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// rewritten is what a filter makes of a text that is known.
func (m *machine) rewritten(c *invocation) string {
	takes := "-d -f -c -e -A -F -v -in -out -k -K -pass -iter -md --expression -n -w --wrap -i --field-separator"
	switch c.name {
	case "base64", "gbase64", "base32":
		takes = "-i -o -w --wrap --input --output"
	case "xxd", "rev", "tr":
		takes = ""
	}
	o, in := c.with(takes), unknown
	switch {
	case c.piped:
		in = c.stdin
	case len(o.operands) > 0 && c.name != "tr" && c.name != "openssl":
		in = m.read(o.operands[len(o.operands)-1].text)
	}
	switch {
	case known(in):
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
		return reversed(in)
	case "tr":
		return translated(in, o)
	case "cut":
		return cutFields(in, o)
	case "sed", "gsed":
		if len(o.operands) > 0 {
			return substituted(in, o.operands[0].text)
		}
	}
	return unknown
}

func decoded(s string) string {
	s = strings.Join(strings.Fields(s), "")
	for _, e := range [...]*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if out, err := e.DecodeString(s); err == nil {
			return string(out)
		}
	}
	return unknown
}

// unhexed reads a plain dump, or one with addresses.
func unhexed(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if i := strings.Index(line, ": "); i >= 0 {
			line, _, _ = strings.Cut(line[i+2:], "  ")
		}
		b.WriteString(strings.Join(strings.Fields(strings.ReplaceAll(strings.ReplaceAll(line, `\x`, ""), "0x", "")), ""))
	}
	out, err := hex.DecodeString(b.String())
	if err != nil {
		return unknown
	}
	return string(out)
}

func reversed(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		body, newline := strings.CutSuffix(line, "\n")
		runes := []rune(body)
		slices.Reverse(runes)
		b.WriteString(string(runes))
		if newline {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// translated is what tr writes.
func translated(s string, o *parsedOptions) string {
	if len(o.operands) == 0 {
		return unknown
	}
	from := spread(o.operands[0].text)
	if o.has("-c -C --complement") || from == "" {
		return unknown
	}
	if o.has("-d --delete") || len(o.operands) < 2 {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(from, r) {
				return -1
			}
			return r
		}, s)
	}
	to := spread(o.operands[1].text)
	if to == "" {
		return unknown
	}
	out := []byte(s)
	for i, c := range out {
		if at := strings.IndexByte(from, c); at >= 0 {
			out[i] = to[min(at, len(to)-1)]
		}
	}
	return string(out)
}

// spread writes out the ranges and classes of tr's sets.
func spread(set string) string {
	set = unescaped(set, ansiC)
	for _, class := range [...][2]string{{"[:upper:]", "A-Z"}, {"[:lower:]", "a-z"}, {"[:digit:]", "0-9"}, {"[:space:]", " \t\n"}, {"[:alpha:]", "A-Za-z"}} {
		set = strings.ReplaceAll(set, class[0], class[1])
	}
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

// cutFields is what cut -d -f writes, of one field or a range of characters.
func cutFields(s string, o *parsedOptions) string {
	d, ok := o.value("-d")
	f, okField := o.value("-f")
	n, err := strconv.Atoi(f)
	if !ok || !okField || err != nil || n < 1 || d == "" {
		return unknown
	}
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		parts := strings.Split(line, d)
		b.WriteString(parts[min(n, len(parts))-1] + "\n")
	}
	return b.String()
}

// substituted is what sed 's/a/b/g' writes, with plain texts.
func substituted(s, script string) string {
	if len(script) < 4 || script[0] != 's' || !known(script) {
		return unknown
	}
	parts := strings.Split(script[2:], script[1:2])
	if len(parts) != 3 || strings.ContainsAny(parts[0], `\[]*.^$`) || strings.ContainsAny(parts[1], `\&`) || strings.Trim(parts[2], "gI") != "" {
		return unknown
	}
	if strings.Contains(parts[2], "g") {
		return strings.ReplaceAll(s, parts[0], parts[1])
	}
	return strings.Replace(s, parts[0], parts[1], 1)
}
