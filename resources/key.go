package resources

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Key names one object in a repository: the plural of its kind (see Kinds)
// and its name, printed as "tasks/build-login-form". The zero Key is what a
// store's Watch reports when it lost track and everything has to be listed
// again.
type Key struct {
	Kind string // plural: "tasks", "workplans", ...
	Name string // DNS-1123 subdomain
}

// String returns "kind/name".
func (k Key) String() string { return k.Kind + "/" + k.Name }

// Compare orders keys by kind, then by name: the order of every list that has
// to be the same on every machine.
func (k Key) Compare(other Key) int {
	if c := strings.Compare(k.Kind, other.Kind); c != 0 {
		return c
	}
	return strings.Compare(k.Name, other.Name)
}

// MaxNameLength is the longest name, as for a DNS-1123 subdomain.
const MaxNameLength = 253

// ReservedName reports whether Windows keeps a name for a device, whatever follows its first
// dot (learn.microsoft.com, Naming Files, Paths, and Namespaces): a clone there cannot hold
// the file. What is there under such a name is read all the same; new objects get another one.
func ReservedName(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	if len(stem) == 4 && stem[3] >= '0' && stem[3] <= '9' {
		return stem[:3] == "com" || stem[:3] == "lpt"
	}
	return slices.Contains([]string{"con", "prn", "aux", "nul"}, stem)
}

// maxIDName leaves room for the suffixes of the files that bear a name made of an id.
const maxIDName = 200

// NameOfID makes the id that a host gives a session the name of its record: as it is where
// it can be, else its letters and digits with a hash that keeps two ids apart.
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

// CheckName reports why name cannot be an object's name, or nil. The rule is
// Kubernetes' DNS-1123 subdomain, loosened where it costs nothing: lower case
// letters, digits, '-' and '.', starting with a letter or a digit, at most 253
// bytes. Names become file names, so this is also what keeps an object from
// leaving its folder: ".." cannot start a name, and there is no separator.
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
