package command

import "strings"

// containers judges the removal of containers and images that are only known when it
// runs: all of them, in most cases.
func (m *machine) containers(c *invocation) {
	if c.name != "docker" && c.name != "podman" && c.name != "nerdctl" {
		return
	}
	o := c.with("")
	if !verbIn("rm|rmi|container rm|image rm", o) || !o.has("-f --force") {
		return
	}
	for _, f := range o.operands {
		if !known(f.text) {
			m.object("remote-change", c.part(), "which ones is only known when it runs")
			return
		}
	}
}

// singleObjects are kinds of a cluster's objects that come back by themselves.
const singleObjects = "pod pods po event events ev lease leases"

// cluster judges kubectl delete: kinds may be written with the name (deploy/api), and
// which objects may only be known when it runs.
func (m *machine) cluster(c *invocation) {
	if c.name != "kubectl" && c.name != "oc" && c.name != "k" {
		return
	}
	o := c.with("-n --namespace --context --cluster --user --kubeconfig -s --server -o --output -l --selector -f --filename --as --timeout --grace-period")
	if len(o.operands) < 2 || o.operands[0].text != "delete" || strings.HasPrefix(dryRun(c), "--dry-run") && dryRun(c) != "--dry-run=none" {
		return
	}
	for i, f := range o.operands[1:] {
		kind, _, named := strings.Cut(f.text, "/")
		switch {
		case i > 0 && !named && known(f.text):
		case !known(f.text):
			m.object("cluster-delete", c.part(), "which objects is only known when it runs")
			return
		case !hasWord(singleObjects, strings.ToLower(kind)):
			m.object("cluster-delete", c.part(), "")
			return
		}
	}
}

// dryRun is the option with which nothing is changed, as it is written.
func dryRun(c *invocation) string {
	for _, f := range c.args {
		if strings.HasPrefix(f.text, "--dry-run") {
			return f.text
		}
	}
	return ""
}

// mounts looks whether a container gets hold of this machine: its files, its devices or
// its rights.
func (m *machine) mounts(c *invocation) {
	o := parseOptions(c.args, listOf("docker"))
	for _, v := range append(o.values("-v --volume"), o.values("--mount")...) {
		from, _, _ := strings.Cut(v, ":")
		for setting := range strings.SplitSeq(v, ",") {
			if name, value, ok := strings.Cut(setting, "="); ok && (name == "source" || name == "src") {
				from = value
			}
		}
		at, _ := m.place(from)
		switch {
		case at == theRoot:
			m.object("system-path", c.part(), "the container gets the whole machine's files")
		case strings.HasSuffix(from, "/docker.sock") || strings.HasSuffix(from, "/containerd.sock") || at == aHome || at == aDevice:
			m.object("host-access", c.part(), "it is given "+from)
		case at == inSystem && strings.HasPrefix(from, "/") && !strings.HasPrefix(from, "/etc/localtime") && !strings.HasPrefix(from, "/etc/timezone") && !strings.HasPrefix(from, "/etc/ssl") && !strings.HasPrefix(from, "/opt/") && !strings.HasPrefix(from, "/srv/") && !strings.HasPrefix(from, "/mnt/"):
			m.object("host-access", c.part(), "it is given "+from)
		}
	}
	if o.has("--privileged") {
		m.object("host-access", c.part(), "")
	}
	for _, v := range o.values("--pid --ipc --userns --cap-add") {
		if v == "host" || v == "ALL" || v == "SYS_ADMIN" || v == "CAP_SYS_ADMIN" || v == "SYS_PTRACE" && o.has("--pid") {
			m.object("host-access", c.part(), "")
		}
	}
	if o.has("--privileged") && strings.Contains(texts(c.args), "chroot") {
		m.object("system-path", c.part(), "")
	}
}
