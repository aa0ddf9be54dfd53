package migrate_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/idumb-dev/idumb/hack/migratetest"
	"github.com/idumb-dev/idumb/resources/migrate"
)

func TestGoldenPairs(t *testing.T) {
	for name, s := range sources(t) {
		t.Run(name, func(t *testing.T) {
			migratetest.Golden(t, "want-"+strings.ReplaceAll(name, " ", "-")+".txt", migratetest.Snapshot(t, s.convert(migrate.Input{Files: s.files})))
		})
	}
}

// TestGoldenPairsOfRealFiles holds all of each source, and each of its files alone.
func TestGoldenPairsOfRealFiles(t *testing.T) {
	for name, s := range realSources(t) {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			fmt.Fprintf(&b, "all\n%s", migratetest.Digests(t, s.convert(migrate.Input{Files: s.files})))
			for _, f := range s.files {
				fmt.Fprintf(&b, "\n%s alone\n%s", f.Path, migratetest.Digests(t, s.convert(migrate.Input{Files: []migrate.File{f}})))
			}
			migratetest.Golden(t, "want-real-"+strings.ReplaceAll(name, " ", "-")+".txt", b.Bytes())
		})
	}
}
