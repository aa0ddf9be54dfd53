package command

import "strings"

// call is one call in a code: what it is called, and what stands in its parentheses.
type call struct {
	name   string // the last part: "system" of os.system
	before string // what stands in front: "os."
	args   string
}

// callsIn finds calls: name(args), and name args where a text follows at once.
func callsIn(code string) []call {
	var all []call
	for i := 0; i < len(code) && len(all) < 400; {
		c := code[i]
		switch {
		case c == '#' && (i == 0 || code[i-1] == '\n'):
			if n := strings.IndexByte(code[i:], '\n'); n > 0 {
				i += n
				continue
			}
			return all
		case c == '\'' || c == '"':
			i = endOfText(code, i)
			continue
		case !isNameByte(c) && c < 0x80:
			i++
			continue
		}
		n := i
		for n < len(code) && (isNameByte(code[n]) || code[n] == '-' && n+1 < len(code) && code[n+1] >= 'A' && code[n+1] <= 'Z') {
			n++
		}
		if n == i {
			i++
			continue
		}
		name := code[i:n]
		from := i
		for from > 0 && (isNameByte(code[from-1]) || strings.IndexByte(".:>-)('\"$", code[from-1]) >= 0) && i-from < 60 {
			from--
		}
		rest := n
		for rest < len(code) && (code[rest] == ' ' || code[rest] == '?' || code[rest] == '.' && rest+1 < len(code) && code[rest+1] == '(') {
			rest++
		}
		if rest < len(code) {
			switch code[rest] {
			case '(':
				end := endOfCall(code, rest)
				all = append(all, call{name, code[from:i], code[rest+1 : max(rest+1, end-1)]})
			case '\'', '"', '[', '{', '/', '<':
				end := strings.IndexAny(code[rest:], ";\n")
				if end < 0 {
					end = len(code) - rest
				}
				all = append(all, call{name, code[from:i], code[rest : rest+end]})
			}
		}
		i = n
	}
	return all
}

// endOfText finds the end of a text in quotes that opens at i.
func endOfText(code string, i int) int {
	quote := code[i]
	if strings.HasPrefix(code[i:], strings.Repeat(string(quote), 3)) {
		if n := strings.Index(code[i+3:], strings.Repeat(string(quote), 3)); n >= 0 {
			return i + 3 + n + 3
		}
	}
	for j := i + 1; j < len(code); j++ {
		if code[j] == '\\' {
			j++
		} else if code[j] == quote {
			return j + 1
		}
	}
	return len(code)
}

// endOfCall finds the end of the parentheses that open at i.
func endOfCall(code string, i int) int {
	depth := 0
	for j := i; j < len(code); j++ {
		switch code[j] {
		case '\'', '"', '`':
			j = endOfText(code, j) - 1
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return len(code)
}

// stringLiteral is a text in quotes in a code.
type stringLiteral struct {
	text string
	end  int
}

// literalsIn are the texts in quotes in a code.
func literalsIn(code string) []stringLiteral {
	var all []stringLiteral
	for i := 0; i < len(code) && len(all) < 200; {
		if c := code[i]; c != '\'' && c != '"' && c != '`' {
			i++
			continue
		}
		end := endOfText(code, i)
		body := strings.Trim(code[i:end], string(code[i]))
		all = append(all, stringLiteral{unescaped(body, ansiC), end})
		i = max(end, i+1)
	}
	return all
}

// dynamic reports whether what a call is given is more than texts in quotes: then it is
// only known when it runs.
func dynamic(args string) bool {
	var b strings.Builder
	for i := 0; i < len(args); {
		c := args[i]
		if c == '\'' || c == '"' || c == '`' {
			end := endOfText(args, i)
			if (c == '`' || c == '"') && strings.Contains(args[i:end], "${") || c == '"' && strings.Contains(args[i:end], "#{") {
				return true
			}
			if i > 0 && (args[i-1] == 'f' || args[i-1] == 'F') && strings.Contains(args[i:end], "{") {
				return true
			}
			i = end
			b.WriteString("'")
			continue
		}
		b.WriteByte(c)
		i++
	}
	rest := b.String()
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" ,[](){}'\n\t;", r) }) {
		name, _, keyword := strings.Cut(word, "=")
		switch {
		case keyword || strings.HasSuffix(word, ":") || strings.Trim(word, "0123456789.") == "":
		case hasWord("True False None true false null nil shell check stdout stderr stdin text encoding capture_output recursive force inherit utf8 timeout cwd maxRetries ignore_errors", name), strings.HasPrefix(word, "subprocess."), word == "rb" || word == "r" || word == "b" || word == "u":
		default:
			return true
		}
	}
	return strings.Contains(rest, "+") || strings.Contains(rest, "%")
}

// closing is the bracket that ends what a bracket begins.
func closing(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '{':
		return '}'
	case '[':
		return ']'
	}
	return open
}
