package keys

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/hack/eval/checkout"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// classes counts classes that are right, with the path of a document and with the text alone.
type classes struct{ shown, hidden, decided, decidedRight, all int }

func (c classes) String() string {
	return fmt.Sprintf("class right %.3f with the path (%d of %d), %.3f without (%d of %d; of those decided %d of %d)",
		ratio(c.shown, c.all), c.shown, c.all, ratio(c.hidden, c.all), c.hidden, c.all, c.decidedRight, c.decided)
}

// compare reads a key: a line for each document, its path and its class, several with | between.
func (c *classes) compare(out io.Writer, key string) error {
	wanted, err := readKey(key)
	if err != nil {
		return err
	}
	files, err := checkout.Open(strings.TrimSuffix(key, filepath.Ext(key)))
	if err != nil {
		return err
	}
	frameworks := documents.Frameworks(files)
	for _, path := range slices.Sorted(maps.Keys(wanted)) {
		data, err := files.Read(path)
		if err != nil {
			return fmt.Errorf("key %s: %w", key, err)
		}
		shown, hidden := documents.Read(path, data, frameworks), documents.Read("", data, nil)
		c.all++
		if hidden.Class != documents.Other {
			c.decided++
			if slices.Contains(wanted[path], hidden.Class) {
				c.decidedRight++
			}
		}
		if slices.Contains(wanted[path], shown.Class) {
			c.shown++
		} else {
			fmt.Fprintf(out, "  %s: %s by %s, not %s\n", path, shown.Class, shown.By, strings.Join(wanted[path], "|"))
		}
		if slices.Contains(wanted[path], hidden.Class) {
			c.hidden++
		} else {
			fmt.Fprintf(out, "  (text alone) %s: %s by %s, not %s\n", path, hidden.Class, hidden.By, strings.Join(wanted[path], "|"))
		}
	}
	return nil
}
