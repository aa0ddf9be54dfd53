package migrate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/idumb-dev/idumb/resources/migrate"
	"github.com/idumb-dev/idumb/resources/migrate/migratetest"
)

func TestNothingIsLostOfVersionsNobodyHasSeen(t *testing.T) {
	rounds := uint64(150)
	if testing.Short() {
		rounds = 30
	}
	for name, s := range sources(t) {
		t.Run(name, func(t *testing.T) {
			for seed := range rounds {
				m := migratetest.NewMutator(seed)
				files := m.Files(s.files)
				t.Run(fmt.Sprint(seed), func(t *testing.T) { migratetest.RequireNothingLost(t, files, s.convert(migrate.Input{Files: files})) })
			}
		})
	}
}

func TestNothingIsLostOfMutatedRealFiles(t *testing.T) {
	for name, s := range realSources(t) {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(6) {
				m := migratetest.NewMutator(seed + 1000)
				files := m.Files(s.files)
				t.Run(fmt.Sprint(seed), func(t *testing.T) { migratetest.RequireNothingLost(t, files, s.convert(migrate.Input{Files: files})) })
			}
		})
	}
}

func FuzzConvert(f *testing.F) {
	f.Add(uint64(1), []byte(`{"version":"2.0.0","epics":[{"id":"e","tasks":[{"id":"t","dependsOn":["t"]}]}]}`))
	f.Add(uint64(2), []byte(`{"mems":{"a":{"content":"x","created_at":NaN}},"orphans":[{"original_data":[]}],"root":{"children":[{"children":[{}]}]}}`))
	small := sources(f)
	f.Fuzz(func(t *testing.T, pick uint64, data []byte) {
		for _, s := range small {
			files := []migrate.File{{Path: s.files[pick%uint64(len(s.files))].Path, Data: data}}
			migratetest.RequireNothingLost(t, files, s.convert(migrate.Input{Files: files}))
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"\ud83d\ude00",null,NaN,True]}`, "\ufeff[1,2,", `{"a":"b`, `{"a":1,}x`, `"\ud800"`, strings.Repeat("[", 200)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, damage, err := migrate.Parse(data)
		if err != nil {
			return
		}
		again, more, err := migrate.Parse(v.JSON())
		if err != nil || len(more) > 0 || string(again.JSON()) != string(v.JSON()) {
			t.Fatalf("%q: what was read is not what is written: %s (%v %v %v)", data, v.JSON(), damage, more, err)
		}
	})
}
