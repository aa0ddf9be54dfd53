package shell

import (
	"encoding/base64"
	"encoding/hex"
	"path"
	"strconv"
	"strings"
)

// echo writes its words.
func (m *machine) echo(c *invocation) string {
	args, escapes, newline := c.args, false, "\n"
	for len(args) > 0 && len(args[0].text) > 1 && args[0].text[0] == '-' && strings.Trim(args[0].text[1:], "neE") == "" {
		escapes = escapes || strings.Contains(args[0].text, "e")
		if strings.Contains(args[0].text, "n") {
			newline = ""
		}
		args = args[1:]
	}
	out := texts(args)
	if escapes {
		out = unescaped(out, echoed)
	}
	return out + newline
}

// printf writes its words in a format, or into a variable.
func (m *machine) printf(c *invocation) string {
	args, into := c.args, ""
	if len(args) > 1 && args[0].text == "-v" {
		into, args = args[1].text, args[2:]
	}
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return ""
	}
	out := formatted(args[0].text, plainTexts(args[1:]))
	if into != "" {
		m.vars[into] = &variable{values: []string{out}}
		return ""
	}
	return out
}

// formatted is what printf writes: the format again and again until no words are left.
func formatted(layout string, args []string) string {
	var b strings.Builder
	for round := 0; round == 0 || len(args) > 0 && b.Len() < maxCapture; round++ {
		before := len(args)
		args = formatOnce(&b, layout, args)
		if len(args) == before {
			break
		}
	}
	return b.String()
}

func formatOnce(b *strings.Builder, layout string, args []string) []string {
	next := func() string {
		if len(args) == 0 {
			return ""
		}
		s := args[0]
		args = args[1:]
		return s
	}
	for i := 0; i < len(layout); i++ {
		if layout[i] == '\\' && i+1 < len(layout) {
			i += unescapedOne(b, layout[i+1:], format)
			continue
		}
		if layout[i] != '%' || i+1 == len(layout) {
			b.WriteByte(layout[i])
			continue
		}
		start := i
		for i++; i < len(layout)-1 && strings.IndexByte("-+ #0123456789.*", layout[i]) >= 0; i++ {
		}
		switch layout[i] {
		case '%':
			b.WriteByte('%')
		case 's':
			s := next()
			if _, cut, found := strings.Cut(layout[start:i], "."); found {
				if n, err := strconv.Atoi(cut); err == nil && n < len(s) {
					s = s[:n]
				}
			}
			b.WriteString(s)
		case 'b':
			b.WriteString(unescaped(next(), echoed))
		case 'q':
			b.WriteString(next())
		case 'c':
			if s := next(); s != "" {
				b.WriteByte(s[0])
			}
		case 'd', 'i', 'u':
			n, err := strconv.ParseInt(next(), 0, 64)
			if err != nil {
				b.WriteString(unknown)
			} else {
				b.WriteString(strconv.FormatInt(n, 10))
			}
		case 'x', 'o':
			n, _ := strconv.ParseInt(next(), 0, 64)
			base := 16
			if layout[i] == 'o' {
				base = 8
			}
			b.WriteString(strconv.FormatInt(n, base))
		default:
			next()
			b.WriteString(unknown)
		}
	}
	return args
}

// output is what a command writes, of those that only hand on or rewrite text; of all
// others nothing is known.
func (m *machine) output(c *invocation) string {
	switch c.name {
	case "cat", "tac", "tee", "head", "tail", "less", "more", "sponge", "pv", "grep", "egrep", "sort", "uniq", "nl", "fold", "fmt", "column", "expand", "iconv", "dos2unix":
		return m.handedOn(c)
	case "base64", "gbase64", "base32", "openssl", "xxd", "rev", "tr", "sed", "gsed", "cut", "awk", "gawk", "jq", "uudecode", "hexdump", "od":
		return m.rewritten(c)
	case "curl", "wget", "http", "https", "aria2c", "lynx", "w3m", "nc", "ncat", "socat", "fetch", "gsutil", "ftp", "xh", "curlie", "links", "elinks", "invoke-webrequest", "iwr", "irm", "invoke-restmethod":
		return fetched
	case "gh":
		if len(c.args) > 0 && c.args[0].text == "api" || len(c.args) > 1 && c.args[0].text == "gist" {
			return fetched
		}
	case "aws":
		if strings.Contains(texts(c.args), "s3 cp s3://") && strings.HasSuffix(texts(c.args), " -") {
			return fetched
		}
	case "pwd":
		return m.dir + "\n"
	case "mktemp":
		return "/tmp/tmp." + unknown + "\n"
	case "whoami", "id", "logname":
		return "user\n"
	case "which", "type", "where", "whereis":
		if o := c.with(""); len(o.operands) == 1 {
			return "/usr/bin/" + path.Base(o.operands[0].text) + "\n"
		}
	case "basename", "dirname", "realpath", "readlink":
		return m.ofPath(c)
	case "git":
		return m.gitOutput(c)
	case "printenv":
		if len(c.args) == 0 {
			return private
		}
	case "ls":
		if o := c.with("-I -w --ignore --hide"); len(o.operands) > 0 && !o.has("-l -s -g -o") {
			if len(o.operands) == 1 && looksLikeFolder(o.operands[0].text) && !o.operands[0].glob { // what is in it
				return listed + "\n"
			}
			return strings.ReplaceAll(texts(o.operands), " ", "\n") + "\n"
		}
		return "./" + listed + "\n"
	case "rg", "ag":
		if c.with("-g -t -e -A -B -C -m --glob --type").has("-l --files --files-with-matches") {
			return "./" + listed + "\n"
		}
	case "true", "test", "[", "sleep", "mkdir", "touch", "chmod", "rm", "cp", "mv":
		return ""
	}
	if m.preparesShell(c) {
		return ":\n"
	}
	if m.readsSecret(c) {
		return private
	}
	if strings.Contains(c.stdin, fetched) {
		switch c.name { // what still is what it was
		case "gunzip", "zcat", "gzip", "xz", "bzip2", "bunzip2", "tar", "unzip", "funzip", "zstd":
			return fetched
		}
	}
	return unknown
}

// gitOutput is what git writes: where the repository is, and lists of its files.
func (m *machine) gitOutput(c *invocation) string {
	o := c.with(gitTakes)
	if len(o.operands) == 0 {
		return unknown
	}
	switch o.operands[0].text {
	case "rev-parse":
		if o.has("--show-toplevel") {
			return m.opts.Root + "\n"
		}
	case "ls-files":
		if o.has("-i --ignored") {
			return "./" + unknown + "\n"
		}
		return m.foundList([]field{{text: "."}}, narrow(plainTexts(o.operands[1:])))
	}
	return unknown
}

// readsSecret reports whether a command is given a file with secrets, or reads one: what
// it writes may be that file, packed or in another alphabet.
func (m *machine) readsSecret(c *invocation) bool {
	if strings.Contains(c.stdin, private) {
		return true
	}
	switch c.name {
	case "tar", "bsdtar", "zip", "7z", "gzip", "bzip2", "xz", "zstd", "gpg", "openssl", "age", "base64", "base32", "xxd", "od", "hexdump", "dd", "strings", "python", "python3", "awk", "gawk", "sed", "jq", "cpio", "pax", "ar", "uuencode", "qrencode":
	default:
		return false
	}
	for _, f := range c.args {
		if m.holdsSecret(strings.TrimPrefix(f.text, "if=")) {
			return true
		}
	}
	return false
}

// holdsSecret reports whether a file is secret, or a copy of one that the line has made.
func (m *machine) holdsSecret(name string) bool {
	if name == "" || !known(name) {
		return strings.Contains(name, private)
	}
	if text, ok := m.files[m.absolute(name)]; ok {
		return strings.Contains(text, private)
	}
	return m.isSecret(name)
}

// preparers are commands that write settings for the shell which reads them by custom,
// with the word that makes them do so; "" for any.
var preparers = [...]struct{ name, words string }{
	{"ssh-agent", ""}, {"direnv", "hook export"}, {"fnm", "env"}, {"minikube", "docker-env podman-env completion"}, {"brew", "shellenv"}, {"pyenv", "init virtualenv-init"}, {"rbenv", "init"}, {"nodenv", "init"}, {"goenv", "init"}, {"jenv", "init"}, {"tfenv", "init"}, {"conda", "shell.bash shell.zsh shell.posix"}, {"mamba", "shell"}, {"micromamba", "shell"}, {"mise", "activate env hook-env"}, {"rtx", "activate"}, {"asdf", "exec env"}, {"starship", "init"}, {"zoxide", "init"}, {"thefuck", "--alias"}, {"dircolors", ""}, {"docker-machine", "env"}, {"opam", "env"}, {"luarocks", "path"}, {"register-python-argcomplete", ""}, {"kubectl", "completion"}, {"helm", "completion"}, {"gh", "completion"}, {"idumb", "completion"}, {"lesspipe", ""}, {"keychain", "--eval"}, {"gpg-agent", ""}, {"npm", "completion bin root prefix"}, {"pip", "completion"}, {"poetry", "env"}, {"pdm", "venv"}, {"fzf", "--bash --zsh"}, {"atuin", "init"}, {"perl", "-Mlocal::lib -I"}, {"resize", ""}, {"locale", ""}, {"go", "env"}, {"aws", "configure"}, {"vcvars", ""}, {"devbox", "shellenv global"}, {"nix", "print-dev-env"}, {"swiftenv", "init"}, {"proto", "activate"}, {"volta", "setup"}, {"task", "--completion"},
}

// preparesShell reports whether a command writes such settings.
func (m *machine) preparesShell(c *invocation) bool {
	for _, p := range preparers {
		if p.name != c.name {
			continue
		}
		for _, f := range c.args {
			if hasWord(p.words, f.text) {
				return true
			}
		}
		return p.words == ""
	}
	return false
}

// ofPath is what basename and the like write.
func (m *machine) ofPath(c *invocation) string {
	o := c.with("-s")
	if len(o.operands) == 0 || !known(o.operands[0].text) {
		return unknown
	}
	p := o.operands[0].text
	switch c.name {
	case "basename":
		p = path.Base(p)
		if len(o.operands) > 1 {
			p = strings.TrimSuffix(p, o.operands[1].text)
		}
	case "dirname":
		p = path.Dir(p)
	default:
		p = m.absolute(p)
	}
	return p + "\n"
}

// handedOn is what cat and its like write.
func (m *machine) handedOn(c *invocation) string {
	o := c.with("-n -c -k -t -s -w -f -e -m -A -B -C --lines --bytes --regexp -d --delimiter")
	files := o.operands
	switch c.name {
	case "tee", "sponge":
		for _, f := range files {
			m.write(f.text, c.stdin, c.part())
		}
		return c.stdin
	case "grep", "egrep":
		if o.has("-l -L --files-with-matches --files-without-match") && !c.piped {
			return "./" + listed + "\n"
		}
		if len(files) > 0 && !o.has("-e -f --regexp --file") {
			files = files[1:]
		}
	}
	if len(files) == 0 {
		if !c.piped {
			return unknown
		}
		return c.stdin
	}
	var b strings.Builder
	for _, f := range files {
		if f.text == "-" {
			b.WriteString(c.stdin)
		} else {
			b.WriteString(m.read(f.text))
		}
	}
	return b.String()
}

// rewritten is what a filter makes of a text that is known.
func (m *machine) rewritten(c *invocation) string {
	in := c.stdin
	o := c.with("-d -f -c -e -A -F -v -in -out -k -K -pass -iter -md --expression -n -w --wrap -i --field-separator")
	if c.name == "base64" || c.name == "gbase64" || c.name == "base32" {
		o = c.with("-i -o -w --wrap --input --output")
	}
	if c.name == "xxd" || c.name == "rev" || c.name == "tr" {
		o = c.with("")
	}
	if !c.piped && len(o.operands) > 0 && c.name != "tr" && c.name != "openssl" {
		in = m.read(o.operands[len(o.operands)-1].text)
	} else if !c.piped {
		in = unknown
	}
	if !known(in) {
		if strings.Contains(in, fetched) {
			return fetched
		}
		if strings.Contains(in, private) || m.readsSecret(c) {
			return private
		}
		if c.name == "sed" || c.name == "gsed" || c.name == "cut" || c.name == "tr" {
			return in
		}
		return unknown
	}
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
			return m.substituted(in, o.operands[0].text)
		}
	case "awk", "gawk":
		return unknown
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
		for i := len(runes) - 1; i >= 0; i-- {
			b.WriteRune(runes[i])
		}
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
func (m *machine) substituted(s, script string) string {
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
