package terminal

import (
	"io"
	"os"
	"strconv"
	"strings"
)

// Count writes a number with its noun: "1 file", "2 files".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Is reports whether w may be a terminal: whether it is a character device.
// That also holds for /dev/null, where nothing that is decided by it matters.
func Is(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Colour reports whether w takes colour: it is a terminal, and neither NO_COLOR
// nor TERM=dumb speaks against it.
func Colour(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && Is(w)
}

// Unicode reports whether the locale says that text is UTF-8.
func Unicode() bool {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := os.Getenv(name); value != "" {
			value = strings.ToLower(value)
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return false
}
