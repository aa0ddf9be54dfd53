// Package agents puts iDumb into the settings of coding agents' hosts, and takes
// out exactly that again. Settings belong to people: what they wrote stays, byte
// for byte, with its order, its comments and its spacing; only what is ours comes
// and goes. Each host is one row of a table: the files that it gets, how to see
// that somebody uses it, and what a person has to know about it.
package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Host is an agent's host: one row of the table of hosts.
type Host struct {
	Name     string   // as in "idumb hook install NAME" and "idumb-hook NAME"
	Title    string   // as people call it
	Program  string   // its binary
	Verified string   // the version that was run with what we install, as --version prints it
	Signs    []string // files and folders of a repository that say that somebody uses it there
	Shared   []string // what of the installation a team commits
	Trust    string   // what has to happen before the host reads our files; "" for nothing
	Limits   []string // what a person should know about the gate in this host

	files    func(root string, c Commands) []File
	test     func(root string) (event string, read func(answer []byte) error) // see SelfTest
	trusts   func(binary, root string) (problem string, err error)            // see Trusts; nil: nobody can tell
	testArgs []string                                                         // more arguments of the hook in a test
}

// Hosts is the table.
func Hosts() []Host {
	return []Host{claudeCode(), openCode(), codex()}
}

// HostNames lists the names of the table.
func HostNames() (names []string) {
	for _, h := range Hosts() {
		names = append(names, h.Name)
	}
	return names
}

// HostNamed returns a row of the table.
func HostNamed(name string) (Host, error) {
	for _, h := range Hosts() {
		if h.Name == name {
			return h, nil
		}
	}
	return Host{}, fmt.Errorf("unknown agent %q; use one of: %s", name, strings.Join(HostNames(), ", "))
}

// Files are the files that a host gets in a repository, with commands as they are
// started on this machine.
func (h Host) Files(root string, c Commands) []File { return h.files(root, c) }

// Binary returns where the host's program is; "" if it is not in PATH.
func (h Host) Binary() string { return Command{Program: h.Program}.Find() }

// Used reports whether the repository or this machine uses the host.
func (h Host) Used(root string) bool {
	for _, sign := range h.Signs {
		if _, err := os.Stat(filepath.Join(root, sign)); err == nil {
			return true
		}
	}
	return h.Binary() != ""
}

// Trusts asks the host's program, which has to be in PATH, whether it runs our hooks
// in the repository at root: "" if it does, or if it cannot be asked.
func (h Host) Trusts(root string) (problem string, err error) {
	if h.trusts == nil || h.Binary() == "" {
		return "", nil
	}
	return h.trusts(h.Binary(), root)
}
