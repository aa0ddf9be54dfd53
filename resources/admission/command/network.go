package command

import "strings"

// connects judges options of ssh and its like that name a command to run on this side.
func (m *machine) connects(c *invocation) {
	o := c.with("-o -S -b -c -D -E -e -F -I -i -J -L -l -m -O -p -Q -R -W -w -P")
	for _, v := range o.values("-o") {
		name, value, found := strings.Cut(v, "=")
		if before, rest, blank := strings.Cut(name, " "); blank { // ssh takes a blank as well
			name, value, found = before, rest+"="+value, true
		}
		switch strings.ToLower(name) {
		case "proxycommand", "localcommand", "knownhostscommand":
			if found && value != "none" {
				m.code(value, "", c.part())
			}
		}
	}
	if program, ok := o.value("-S"); ok && c.name != "ssh" && known(program) {
		m.code(program, "", c.part())
	}
}

// network judges what leaves the machine, and who is let in.
func (m *machine) network(c *invocation) {
	switch c.name {
	case "nc", "ncat", "netcat", "telnet":
		o := c.with("-e -c --exec --sh-exec -p -w -s")
		if v, ok := o.value("-e -c --exec --sh-exec"); ok && v != "" {
			m.object("reverse-shell", c.part(), "")
		}
		if strings.Contains(c.stdin, private) {
			m.object("secret-upload", c.part(), "")
		}
		if literally(c.args, "6379") { // Redis takes its commands as lines
			m.redis(c.stdin, c)
		}
		return
	case "socat":
		low := strings.ToLower(texts(c.args))
		if strings.Contains(low, "exec:") || strings.Contains(low, "system:") {
			m.object("reverse-shell", c.part(), "")
		}
		return
	case "openssl":
		if len(c.args) > 0 && c.args[0].text == "s_client" && c.piped && strings.Contains(c.stdin, private) {
			m.object("secret-upload", c.part(), "")
		}
		return
	}
	if strings.Contains(c.stdin, private) {
		m.object("secret-upload", c.part(), "")
	}
	o := c.with("-o -d -F -T -X -H -A -u -b -c -e -m -w -x --output --data --data-binary --data-raw --data-urlencode --form --upload-file --request --header --user --url --post-file --body-file --post-data -O --output-document -P --max-time --retry --connect-timeout -K --config")
	for _, v := range o.values("-d -F -T --data --data-binary --data-urlencode --form --upload-file --post-file --body-file --post-data --data-raw --form-string --url -H --header") {
		name := v
		if i := strings.LastIndexByte(v, '@'); i >= 0 {
			name, _, _ = strings.Cut(v[i+1:], ";")
		}
		if strings.Contains(v, private) || m.holdsSecret(name) && (strings.Contains(v, "@") || o.has("-T --upload-file --post-file --body-file")) {
			m.object("secret-upload", c.part(), "")
		}
	}
	for _, f := range o.operands {
		if strings.Contains(f.text, private) {
			m.object("secret-upload", c.part(), "")
		}
	}
	m.downloads(c, o)
	m.requests(c, o)
}

// downloads keeps where a file from the network is written, so that running it counts.
func (m *machine) downloads(c *invocation, o *parsedOptions) {
	var targets []field
	switch c.name {
	case "curl":
		targets = o.files("-o --output")
		for _, x := range o.options {
			if x.name == "-O" || x.name == "--remote-name" {
				targets = append(targets, lastElements(append(o.operands, o.files("-O")...))...)
			}
		}
	case "wget", "aria2c":
		targets = o.files("-O --output-document -o")
		if len(targets) == 0 && !o.has("-O --output-document") {
			targets = lastElements(o.operands)
		}
	case "iwr", "invoke-webrequest":
		targets = o.files("-OutFile -o")
	}
	for _, f := range targets {
		if f.text != "" && f.text != "-" {
			m.write(f, fetched, c)
		}
	}
}

// lastElements are the names under which files from these addresses are kept.
func lastElements(addresses []field) []field {
	var all []field
	for _, f := range addresses {
		address, _, _ := strings.Cut(f.text, "?")
		all = append(all, field{text: address[strings.LastIndexByte(address, '/')+1:]})
	}
	return all
}

// requests judges what a request tells a service to do.
func (m *machine) requests(c *invocation, o *parsedOptions) {
	method, _ := o.value("-X --request --method")
	for _, f := range o.operands {
		low := strings.ToLower(f.text)
		local := strings.Contains(low, "localhost") || strings.Contains(low, "127.0.0.1") || strings.Contains(low, "0.0.0.0") || strings.HasPrefix(low, ":")
		switch {
		case strings.EqualFold(method, "DELETE") && strings.Contains(low, ":9200"), strings.Contains(low, "_delete_by_query") && strings.EqualFold(method, "POST"):
			m.object("data-flush", c.part(), "")
		case strings.EqualFold(method, "DELETE") && !local:
			m.object("remote-change", c.part(), "")
		case strings.HasPrefix(low, "http://169.254.169.254"), strings.HasPrefix(low, "http://metadata.google"), strings.HasPrefix(low, "169.254.169.254"):
			m.object("secret-upload", c.part(), "it asks for the machine's own credentials")
		}
	}
}
