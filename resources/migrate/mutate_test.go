package migrate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/idumb-dev/idumb/hack/migratetest"
	"github.com/idumb-dev/idumb/resources/migrate"
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
				t.Run(fmt.Sprint(seed), func(t *testing.T) { migratetest.RequireKept(t, files, s.convert(migrate.Input{Files: files})) })
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
				t.Run(fmt.Sprint(seed), func(t *testing.T) { migratetest.RequireKept(t, files, s.convert(migrate.Input{Files: files})) })
			}
		})
	}
}

func FuzzConvert(f *testing.F) {
	f.Add(uint64(1), []byte(`{"version":"2.0.0","epics":[{"id":"e","tasks":[{"id":"t","dependsOn":["t"]}]}]}`))
	f.Add(uint64(2), []byte(`{"mems":{"a":{"content":"x","created_at":NaN}},"orphans":[{"original_data":[]}],"root":{"children":[{"children":[{}]}]}}`))
	f.Add(uint64(3), []byte(`{"activeEpicId":"epic-1","epics":[{"id":"epic-1","tasks":[{"id":"task-2","blocks":["task-3"],"deps":{"task-1":true},"subtasks":[{"id":"sub-4","status":"\u2705"}]}]}]}`))
	f.Add(uint64(1), []byte(`{"workPlans":[{"id":"wp-1","tasks":[{"id":"tn-2","waitsFor":[{"to":"[[x]]"}],"createdAt":{"$date":"2026-01-01T00:00:00+0000"}}]}],"sessions":{"s":{"activeTask":"task-2"}}}`))
	f.Add(uint64(0), []byte(`{"sessionID":"a","parentSessionID":"a","delegatedBy":{"description":"<x>"},"turns":[{"content":1}],"sessions":{"a":{"metadata":{"pendingNotifications":[{"sessionID":"a","description":"b"}]}}}}`))
	f.Add(uint64(6), []byte(`[{"id":"d","childSessionId":"","parentSessionId":"","description":"x","agent":"main"},{"childSessionId":"","description":"y","status":"running"},{"taskId":"t"}]`))
	small := sources(f)
	f.Fuzz(func(t *testing.T, pick uint64, data []byte) {
		for _, s := range small {
			files := []migrate.File{{Path: s.files[pick%uint64(len(s.files))].Path, Data: data}}
			migratetest.RequireKept(t, files, s.convert(migrate.Input{Files: files}))
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"\ud83d\ude00",null,NaN,True]}`, "\ufeff[1,2,", `{"a":"b`, `{"a":1,}x`, `"\ud800"`, "// x\n{/* y */\"a\":1}", "/*", "\xff\xfe[\x001\x00]\x00", strings.Repeat("[", 200)} {
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
