package resources

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Key identifies an object in a repository: the plural of a kind (see Kinds) and a name. It
// prints as "tasks/build-login-form". A store's Watch reports the zero Key if it missed
// changes and all objects must be listed again.
type Key struct {
	Kind string // plural: "tasks", "workplans", ...
	Name string // DNS-1123 subdomain
}

// String returns "kind/name".
func (k Key) String() string { return k.Kind + "/" + k.Name }

// Compare orders keys by kind, then by name. Lists that must be identical on every machine
// use this order.
func (k Key) Compare(other Key) int {
	if c := strings.Compare(k.Kind, other.Kind); c != 0 {
		return c
	}
	return strings.Compare(k.Name, other.Name)
}

// MaxNameLength is the maximum length of a name, as for a DNS-1123 subdomain.
const MaxNameLength = 253

// ReservedName reports whether Windows reserves a name for a device, ignoring the text
// after the first dot (learn.microsoft.com, Naming Files, Paths, and Namespaces). A clone
// on Windows cannot contain the file. name must be in lower case, as names of objects are. Existing objects with such a name are still read; new
// objects get another name.
func ReservedName(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	if len(stem) == 4 && stem[3] >= '0' && stem[3] <= '9' {
		return stem[:3] == "com" || stem[:3] == "lpt"
	}
	return slices.Contains([]string{"con", "prn", "aux", "nul"}, stem)
}

// maxIDName leaves room for file suffixes after a name derived from an ID.
const maxIDName = 200

// NameOfID converts a host's session ID to the name of the session record. A
// valid ID is returned unchanged. Otherwise the name is the start of the ID in
// lower case, with - for other characters, and a hash that keeps different IDs
// distinct.
func NameOfID(id string) string {
	if len(id) <= maxIDName && CheckName(id) == nil && !ReservedName(id) {
		return id
	}
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, id[:min(len(id), maxIDName/2)])
	sum := sha256.Sum256([]byte(id))
	name := strings.TrimLeft(safe+"-"+hex.EncodeToString(sum[:6]), "-.")
	if ReservedName(name) { // "con.1"
		name = "id-" + name
	}
	return name
}

// CheckName returns an error if a string is not a valid object name. The rule is a relaxed
// version of Kubernetes' DNS-1123 subdomain: lower case letters, digits, '-' and '.',
// starting with a letter or a digit, at most 253 bytes. Names are used as file names, so
// the rule also prevents path traversal: a name cannot start with ".." or contain a
// separator.
func CheckName(name string) error {
	if name == "" {
		return fmt.Errorf("name is empty")
	}
	if len(name) > MaxNameLength {
		return fmt.Errorf("name is %d bytes long; at most %d are allowed", len(name), MaxNameLength)
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		alnum := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if !alnum && (i == 0 || c != '-' && c != '.') {
			return fmt.Errorf("a name consists of lower case letters, digits, '-' and '.', and starts with a letter or a digit (for example %q)", "build-login-form")
		}
	}
	return nil
}
