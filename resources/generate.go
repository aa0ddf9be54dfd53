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

// Namer makes names for objects that were not given one: <prefix>-<unixms>-<counter>,
// as in tn-1763712345678-1. The zero Namer is ready; it may be used by several
// goroutines at once. Two processes can make the same name in the same
// millisecond: creating the object settles that, and the loser takes the next one.
type Namer struct{ counter atomic.Int64 }

// Name returns the next name for an object of kind k.
func (n *Namer) Name(k *Kind, now time.Time) string {
	return fmt.Sprintf("%s-%d-%d", k.Prefix, now.UnixMilli(), n.counter.Add(1))
}

// maxMadeName is how long NameOf makes a name, in bytes: what fits a column of a table.
const maxMadeName = 40

// NameOf makes a name of what people call something: "Fix login (again)" gives
// "fix-login-again". Words that do not fit are left out. It is "" where no letter of a to z and
// no digit is left, or what no file may be called.
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

// plainLetter is a letter as names may have it: without its accent; -1 where there is none.
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

// uidNamespace is the name space of DerivedUID: the version 5 UUID of the DNS
// name idumb.dev (RFC 9562, appendix A: name space 6ba7b810-9dad-11d1-80b4-00c04fd430c8),
// written out because every start of every program would compute it.
var uidNamespace = [16]byte{0x39, 0x29, 0x54, 0x3b, 0x06, 0xe9, 0x5e, 0xdf, 0x8f, 0x6c, 0x4f, 0x73, 0x4f, 0xd8, 0x72, 0x0b}

// DerivedUID is the uid of an object whose file carries none: a version 5 UUID of
// its key (RFC 9562, section 5.5), so that a status that was thrown away comes back with the
// same one.
func DerivedUID(key Key) string {
	sum := sha1.Sum(append(uidNamespace[:], key.String()...))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
