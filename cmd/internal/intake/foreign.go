package intake

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/idumb-dev/idumb/resources/imports"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// foreign is the error for a source that is not of the format that was named for it. Where it is of another one that is
// known, it says so.
func foreign(s Source, why string) error {
	name := s.Dir
	if len(s.Files) == 1 {
		if name = filepath.Join(s.Dir, filepath.FromSlash(s.Files[0].Path)); len(bytes.TrimSpace(migrate.Text8(s.Files[0].Data))) == 0 {
			return fmt.Errorf("%s holds nothing of %s: it is empty", name, s.Format.Title)
		}
	}
	if other := imports.LooksLike(s.Files, s.Format); other != nil {
		return fmt.Errorf("%s holds nothing of %s: %s. It looks like %s: idumb import %s %s", name, s.Format.Title, why, other.Title, other.Name, name)
	}
	return fmt.Errorf("%s holds nothing of %s: %s", name, s.Format.Title, why)
}
