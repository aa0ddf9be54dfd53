package plans

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Noted names the state of what exchanges noted in a folder, and of what a person decided there. It is
// another one after any process noted something, without reading any of it.
func Noted(dir string) string {
	var all strings.Builder
	for _, file := range []string{baseFile, aloneFile, sendFile} {
		if info, err := os.Stat(filepath.Join(dir, file)); err == nil {
			fmt.Fprintf(&all, "%s %d %d\n", file, info.Size(), info.ModTime().UnixNano())
		}
	}
	return all.String()
}
