package resources

import (
	"crypto/sha1"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"
)

// Namer generates names for objects without a name: <prefix>-<unixms>-<counter>, for
// example tn-1763712345678-1. The zero Namer is ready for use. It is safe for concurrent
// use. Two processes can generate the same name in the same millisecond. Creating the
// object then fails in one of them, which uses the next name.
type Namer struct{ counter atomic.Int64 }

// Name returns the next name for an object of kind k.
func (n *Namer) Name(k *Kind, now time.Time) string {
	return fmt.Sprintf("%s-%d-%d", k.Prefix, now.UnixMilli(), n.counter.Add(1))
}

// maxMadeName is the maximum length of a name from NameOf, in bytes. It fits a table
// column.
const maxMadeName = 40

// NameOf derives a name from a title: "Fix login (again)" becomes
// "fix-login-again". It stops before the first word that exceeds the length
// limit; a first word that exceeds it is cut. It returns "" if no ASCII letter
// or digit remains, or if the name is reserved (ReservedName).
func NameOf(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	name := ""
	for _, word := range words {
		word = strings.Map(plainLetter, word)
		if longer := strings.Trim(name+"-"+word, "-"); word == "" || len(longer) <= maxMadeName {
			name = longer
			continue
		}
		if name == "" {
			name = word[:maxMadeName]
		}
		break
	}
	if ReservedName(name) {
		return ""
	}
	return name
}

// plainLetter returns a lower-case letter without its accent, a digit
// unchanged, and -1 for any other rune.
func plainLetter(r rune) rune {
	const accented, plain = "àáâãäåçèéêëìíîïñòóôõöøùúûüýÿßšž", "aaaaaaceeeeiiiinoooooouuuuyyssz"
	if at := strings.IndexRune(accented, r); at >= 0 {
		return rune(plain[utf8.RuneCountInString(accented[:at])])
	}
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return -1
}

// uidNamespace is the namespace of DerivedUID: the version 5 UUID of the DNS name idumb.dev
// (RFC 9562, appendix A: namespace 6ba7b810-9dad-11d1-80b4-00c04fd430c8). It is precomputed
// to save time at program start.
var uidNamespace = [16]byte{0x39, 0x29, 0x54, 0x3b, 0x06, 0xe9, 0x5e, 0xdf, 0x8f, 0x6c, 0x4f, 0x73, 0x4f, 0xd8, 0x72, 0x0b}

// DerivedUID returns the UID of an object whose file does not contain one: a version 5
// UUID of its key (RFC 9562, section 5.5). A deleted status is therefore recreated with
// the same UID.
func DerivedUID(key Key) string {
	sum := sha1.Sum(append(uidNamespace[:], key.String()...))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
