package command

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// sentTakes lists options with a value of network clients. The values of options in sent
// are uploaded.
const (
	sentTakes   = sentOptions + " -o -A -u -b -c -e -m -w -x -X -O -P -K --output --request --user --output-document --max-time --retry --connect-timeout --config --output-dir --directory-prefix --dir --out"
	sentOptions = "-d -F -T -H --json --url-query --data --data-binary --data-raw --data-urlencode --form --upload-file --header --url --post-file --body-file --post-data"
)

// network checks what data leaves the machine and who gets access.
func (m *interpreter) network(c *invocation) {
	isSent := strings.Contains(c.stdin, private)
	switch c.name {
	case "nc", "ncat", "netcat", "telnet":
		v, _ := c.optionsTaking("-e -c --exec --sh-exec -p -w -s").value("-e -c --exec --sh-exec")
		m.reportIf(v != "", "reverse-shell", c.part(), "")
		m.reportIf(isSent, "secret-upload", c.part(), "")
		if literally(c.args, "6379") { // Redis accepts commands as lines
			m.redis(c.stdin, c)
		}
		return
	case "openssl":
		m.reportIf(isSent && len(c.args) > 0 && c.args[0].text == "s_client" && c.piped, "secret-upload", c.part(), "")
		return
	}
	m.reportIf(isSent, "secret-upload", c.part(), "")
	o := c.optionsTaking(sentTakes)
	for _, v := range o.values(sentOptions + " --form-string") {
		name := v
		if i := strings.LastIndexAny(v, "@<"); i >= 0 {
			name, _, _ = strings.Cut(v[i+1:], ";")
		}
		named := strings.ContainsAny(v, "@<") || o.has("-T --upload-file --post-file --body-file")
		isSecret := func(name string) bool { return m.holdsSecret(name) }
		m.reportIf(strings.Contains(v, private) || named && slices.ContainsFunc(strings.Split(strings.Trim(name, "{}"), ","), isSecret), "secret-upload", c.part(), "")
	}
	for _, file := range o.values("-K --config") {
		for line := range strings.Lines(m.content(file, c)) {
			_, name, _ := strings.Cut(strings.ReplaceAll(line, "=", " "), " ")
			m.reportIf(m.holdsSecret(strings.Trim(name[strings.LastIndexByte(name, '@')+1:], " \"\n")), "secret-upload", c.part(), "")
		}
	}
	if c.name == "sftp" || c.name == "ftp" || c.name == "tftp" {
		for word := range strings.FieldsSeq(c.stdin) {
			m.reportIf(m.holdsSecret(word), "secret-upload", c.part(), "")
		}
		m.transfers(c.stdin, c)
	}
	for _, f := range o.operands {
		field, name, _ := strings.Cut(f.text, "@")
		isField := hasWord("http https xh", c.name) && !strings.Contains(field, "/")
		m.reportIf(strings.Contains(f.text, private) || isField && name != "" && m.holdsSecret(name), "secret-upload", c.part(), "")
	}
	m.downloads(c, o)
	m.requests(c, o)
}

// downloads records downloaded files, so that running them is detected.
func (m *interpreter) downloads(c *invocation, o *parsedOptions) {
	var targets []field
	folders := o.files("-P --directory-prefix --output-dir --dir")
	unnamed := false // file names are only known at run time
	switch c.name {
	case "curl":
		o = c.optionsTaking(strings.ReplaceAll(sentTakes, " -O ", " "))
		folders, targets = o.files("--output-dir"), o.files("-o --output")
		if o.has("-O --remote-name") {
			targets = append(targets, lastElements(o.operands)...)
		}
		unnamed = o.has("-J --remote-header-name --remote-name-all")
	case "wget":
		for _, f := range o.files("-o --output-file") {
			m.write(f, fetched, c)
		}
		if o.has("-O --output-document --spider") {
			folders, targets = nil, o.files("-O --output-document")
			break
		}
		targets = lastElements(o.operands)
		unnamed = o.has("-r -m -p -i --recursive --mirror --page-requisites --input-file --content-disposition --trust-server-names")
	case "aria2c":
		folders = append(folders, o.files("-d")...)
		if targets = o.files("-o --out"); len(targets) == 0 {
			targets = lastElements(o.operands)
		}
		isList := func(f field) bool {
			return strings.HasPrefix(f.text, "magnet:") || hasWord(".torrent .metalink .meta4", path.Ext(f.text))
		}
		unnamed = o.has("-i --input-file") || slices.ContainsFunc(o.operands, isList)
	case "iwr", "invoke-webrequest":
		targets = o.files("-OutFile -o")
	}
	if unnamed {
		m.fills(lastOf(folders), c)
	}
	for _, f := range targets {
		if f.text == "-" {
			continue
		}
		if len(folders) > 0 {
			m.leaves(lastOf(folders).text, c.part())
			f.text = path.Join(lastOf(folders).text, f.text)
		}
		m.write(f, fetched, c)
	}
}

// lastElements returns the file names under which downloads of these addresses are stored.
func lastElements(addresses []field) []field {
	var all []field
	for _, f := range addresses {
		address, _, _ := strings.Cut(f.text, "?")
		_, rest, hasScheme := strings.Cut(address, "://")
		switch {
		case !hasScheme && !strings.Contains(address, "."): // value of an option
		case hasScheme && !strings.Contains(rest, "/"):
			all = append(all, field{text: "index.html"})
		default:
			all = append(all, field{text: address[strings.LastIndexByte(address, '/')+1:]})
		}
	}
	return all
}

// requests checks the effect of a request on a service.
func (m *interpreter) requests(c *invocation, o *parsedOptions) {
	method, _ := o.value("-X --request --method")
	for _, f := range o.operands {
		low := strings.ToLower(f.text)
		local := strings.HasPrefix(low, ":") || hasAny(low, "localhost", "127.0.0.1", "0.0.0.0")
		switch {
		case strings.EqualFold(method, "DELETE") && strings.Contains(low, ":9200"), strings.Contains(low, "_delete_by_query") && strings.EqualFold(method, "POST"):
			m.report("data-flush", c.part(), "")
		case strings.EqualFold(method, "DELETE") && !local:
			m.report("remote-change", c.part(), "")
		case hasAnyPrefix(low, "http://169.254.169.254", "http://metadata.google", "169.254.169.254"):
			m.report("secret-upload", c.part(), "it requests the credentials of the machine")
		}
	}
}

// mutations checks deleting GraphQL requests to a repository host.
func (m *interpreter) mutations(c *invocation) {
	if c.name != "gh" && c.name != "glab" || !verbIn("api graphql", c.optionsTaking("")) {
		return
	}
	if text := strings.ToLower(texts(c.args) + c.stdin); strings.Contains(text, "mutation") && (strings.Contains(text, "delete") || strings.Contains(text, "archive")) {
		m.report("remote-delete", c.part(), "")
	}
}

// transfers records the files that commands of a client like sftp or lftp fetch, and runs their
// shell commands.
func (m *interpreter) transfers(script string, c *invocation) {
	folder := "."
	for line := range strings.FieldsFuncSeq(script, func(r rune) bool { return r == '\n' || r == ';' }) {
		if code, runs := strings.CutPrefix(strings.TrimSpace(line), "!"); runs {
			m.runCode(code, "", c.part())
		}
		o := parseOptions(fieldsOf(strings.Fields(line)), getopt, "-O -o")
		words := plainTexts(o.operands)
		if to, ok := o.value("-O"); ok {
			folder = to
		}
		switch {
		case len(words) < 2:
		case words[0] == "lcd":
			folder = words[1]
		case hasWord("mget mirror", words[0]):
			m.fills(field{text: folder}, c)
		case hasWord("get reget recv pget get1", words[0]):
			to, _ := o.value("-o")
			if to = cmp.Or(to, path.Base(words[1])); len(words) > 2 {
				to = words[2]
			}
			m.writesTo(path.Join(folder, to), c)
		}
	}
}

// uploads checks whether a command sends files with secrets to another machine.
func (m *interpreter) uploads(c *invocation) {
	for _, r := range rows("sends", c.name) {
		if r.applies(c) && (slices.ContainsFunc(c.args, func(f field) bool { return m.holdsSecret(f.text) }) || m.readsSecret(c)) {
			m.report("secret-upload", c.part(), "")
			return
		}
	}
}

// singleObjects lists kinds of cluster objects that are recreated automatically.
const singleObjects = "pod pods po event events ev lease leases"

// cluster checks kubectl delete. Kinds can be joined to the name (deploy/api), and objects
// may only be known at run time.
func (m *interpreter) cluster(c *invocation) {
	o := c.optionsTaking("-n --namespace --context --cluster --user --kubeconfig -s --server -o --output -l --selector -f --filename --as --timeout --grace-period")
	dryRun := func(f field) bool { return strings.HasPrefix(f.text, "--dry-run") }
	dry := slices.IndexFunc(c.args, dryRun)
	if !hasWord("kubectl oc k", c.name) || len(o.operands) < 2 || o.operands[0].text != "delete" || dry >= 0 && c.args[dry].text != "--dry-run=none" {
		return
	}
	for i, f := range o.operands[1:] {
		kind, _, named := strings.Cut(f.text, "/")
		switch {
		case i > 0 && !named && isKnown(f.text):
		case !isKnown(f.text):
			m.report("cluster-delete", c.part(), "which objects is only known when it runs")
			return
		case !hasWord(singleObjects, strings.ToLower(kind)):
			m.report("cluster-delete", c.part(), "")
			return
		}
	}
}

// mounts checks whether a container gets access to files, devices or privileges of this
// machine.
func (m *interpreter) mounts(c *invocation) {
	o := parseOptions(c.args, styleOf(c.name), listOf("docker"))
	for _, v := range append(o.values("-v --volume"), o.values("--mount")...) {
		from, _, _ := strings.Cut(v, ":")
		for setting := range strings.SplitSeq(v, ",") {
			if name, value, ok := strings.Cut(setting, "="); ok && (name == "source" || name == "src") {
				from = value
			}
		}
		at, _ := m.locate(from)
		switch {
		case at == theRoot:
			m.report("system-path", c.part(), "the container gets the whole machine's files")
		case strings.HasSuffix(from, "/docker.sock"), strings.HasSuffix(from, "/containerd.sock"), at == aHome, at == aDevice,
			at == inSystem && strings.HasPrefix(from, "/") && !hasAnyPrefix(from, "/etc/localtime", "/etc/timezone", "/etc/ssl", "/opt/", "/srv/", "/mnt/"):
			m.report("host-access", c.part(), "it is given "+from)
		}
	}
	m.reportIf(o.has("--privileged"), "host-access", c.part(), "")
	for _, v := range o.values("--pid --ipc --userns --cap-add") {
		m.reportIf(hasWord("host ALL SYS_ADMIN CAP_SYS_ADMIN", v) || v == "SYS_PTRACE" && o.has("--pid"), "host-access", c.part(), "")
	}
	m.reportIf(o.has("--privileged") && strings.Contains(texts(c.args), "chroot"), "system-path", c.part(), "")
}
