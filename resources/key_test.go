package resources

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReservedName(t *testing.T) {
	for _, name := range []string{"con", "prn", "aux", "nul", "com1", "lpt9", "con.json", "nul.a.b"} {
		assert.True(t, ReservedName(name), name)
	}
	for _, name := range []string{"", "cons", "con-1", "x.con", "com", "com10", "lpt", "lpta", "a"} {
		assert.False(t, ReservedName(name), name)
	}
}

func TestNameOfID(t *testing.T) {
	const id = "5f0c2b1e-0d5b-4a86-9c0f-2f6f1f7f7a01"
	assert.Equal(t, id, NameOfID(id))
	for _, odd := range []string{"../../etc/passwd", "A", "", strings.Repeat("a", 500), "Ünïcode", "---"} {
		t.Run(odd, func(t *testing.T) {
			name := NameOfID(odd)
			assert.NotContains(t, name, "/")
			assert.LessOrEqual(t, len(name), maxIDName)
		})
	}
	assert.NotEqual(t, NameOfID("A"), NameOfID("B"))
}

func FuzzNameOfID(f *testing.F) {
	for _, id := range []string{"ses_ABC", "con", "CON.1", "---", strings.Repeat("x", 300), "\xff"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		name := NameOfID(id)
		if CheckName(name) != nil || ReservedName(name) {
			t.Fatalf("%q is called %q", id, name)
		}
		if NameOfID(name) != name {
			t.Fatalf("%q is called %q at first", name, NameOfID(name))
		}
	})
}

func TestNameOf(t *testing.T) {
	for title, want := range map[string]string{
		"Fix login": "fix-login", "  Fix   login (again)! ": "fix-login-again", "Größe prüfen": "grose-prufen", "v1.2: ship it": "v1-2-ship-it",
		"修复登录": "", "修复 login": "login", "...": "", "": "", "con": "", "../../etc/passwd": "etc-passwd",
		"one two three four five six seven eight nine": "one-two-three-four-five-six-seven-eight",
		strings.Repeat("a", 50) + " b":                 strings.Repeat("a", 40),
	} {
		assert.Equal(t, want, NameOf(title), title)
	}
}

func FuzzNameOf(f *testing.F) {
	for _, title := range []string{"Fix login", "CON", "a\x00b", "\xff", "İstanbul", strings.Repeat("x ", 60)} {
		f.Add(title)
	}
	f.Fuzz(func(t *testing.T, title string) {
		name := NameOf(title)
		if name != "" && (CheckName(name) != nil || ReservedName(name) || len(name) > maxMadeName) {
			t.Fatalf("%q is called %q", title, name)
		}
	})
}
