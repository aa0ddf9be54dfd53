package dash

import (
	"strings"
	"unicode/utf8"

	"github.com/gdamore/tcell/v3"
)

// keyNames names the keys that type no text.
var keyNames = map[tcell.Key]string{
	tcell.KeyUp: "up", tcell.KeyDown: "down", tcell.KeyLeft: "left", tcell.KeyRight: "right", tcell.KeyEnter: "enter", tcell.KeyEscape: "esc",
	tcell.KeyTab: "tab", tcell.KeyBacktab: "backtab", tcell.KeyPgUp: "pgup", tcell.KeyPgDn: "pgdn", tcell.KeyHome: "home", tcell.KeyEnd: "end",
	tcell.KeyBackspace: "backspace", tcell.KeyDelete: "delete",
}

// keyName returns the name of a key in the table of commands: "a", "enter", "ctrl-k". It is empty
// for an unsupported key.
func keyName(ev *tcell.EventKey) string {
	if name := keyNames[ev.Key()]; name != "" {
		return name
	}
	switch k := ev.Key(); {
	case k >= tcell.KeyCtrlA && k <= tcell.KeyCtrlZ:
		return "ctrl-" + string(rune('a'+k-tcell.KeyCtrlA))
	case k == tcell.KeyRune && ev.Modifiers()&tcell.ModCtrl != 0:
		return "ctrl-" + strings.ToLower(ev.Str())
	case k == tcell.KeyRune && ev.Modifiers()&(tcell.ModAlt|tcell.ModMeta) == 0:
		return ev.Str()
	}
	return ""
}

// named reports whether a key has a name and types no text.
func named(k string) bool {
	for _, name := range keyNames {
		if k == name {
			return true
		}
	}
	return k == "" || strings.HasPrefix(k, "ctrl-") && utf8.RuneCountInString(k) == 6
}
