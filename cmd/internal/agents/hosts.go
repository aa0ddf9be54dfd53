// Package agents installs iDumb into the settings of coding agents' hosts, and uninstalls it.
// Settings belong to users: installing and uninstalling keep their text byte for byte, including
// order, comments and spacing. Each host is a row of a table: its files, the signs that it is in
// use, and its limits.
package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Host is an agent's host.
type Host struct {
	Name     string   // name in "idumb hook install NAME" and "idumb-hook NAME"
	Title    string   // name for users
	Program  string   // name of its binary
	Verified string   // version that was tested with the installed files, as printed by --version
	Signs    []string // files and directories in a repository that show that the host is in use
	Shared   []string // installed files that a team commits
	Trust    string   // required step before the host reads the files; empty for no step
	Limits   []string // limits of the gate in this host, for users

	files    func(root string, c Commands) []File
	test     func(root string) (event string, read func(answer []byte) error) // see SelfTest
	trusts   func(binary, root string) (problem string, err error)            // see Trusts; nil if the host cannot be queried
	testArgs []string                                                         // additional arguments of the hook in a test
}

// Hosts returns all hosts.
func Hosts() []Host {
	return []Host{claudeCode(), openCode(), codex(), copilot(), gemini()}
}

// HostNames returns the names of all hosts.
func HostNames() (names []string) {
	for _, h := range Hosts() {
		names = append(names, h.Name)
	}
	return names
}

// HostNamed returns the host with a name.
func HostNamed(name string) (Host, error) {
	for _, h := range Hosts() {
		if h.Name == name {
			return h, nil
		}
	}
	return Host{}, fmt.Errorf("unknown agent %q; use one of: %s", name, strings.Join(HostNames(), ", "))
}

// Files returns the files of a host in a repository. c contains the commands of this machine.
func (h Host) Files(root string, c Commands) []File { return h.files(root, c) }

// Binary returns the path of the host's program, empty if it is not in PATH.
func (h Host) Binary() string { return Command{Program: h.Program}.Find() }

// InUse reports whether the repository or this machine uses the host.
func (h Host) InUse(root string) bool {
	for _, sign := range h.Signs {
		if _, err := os.Stat(filepath.Join(root, sign)); err == nil {
			return true
		}
	}
	return h.Binary() != ""
}

// Trusts queries the host's program whether it runs the hooks in a repository. problem is empty if
// it does, or if it cannot be queried.
func (h Host) Trusts(root string) (problem string, err error) {
	if h.trusts == nil || h.Binary() == "" {
		return "", nil
	}
	return h.trusts(h.Binary(), root)
}
