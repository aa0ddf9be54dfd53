package migratetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// Mutator creates unknown versions of a format.
type Mutator struct{ *rand.Rand }

// values changes a value at a random place.
func (m Mutator) values(v migrate.Value, depth int) migrate.Value {
	if m.IntN(40) == 0 {
		return m.replaced(v)
	}
	switch v.Type {
	case migrate.List:
		v.Items = append([]migrate.Value(nil), v.Items...)
		for i := range v.Items {
			v.Items[i] = m.values(v.Items[i], depth+1)
		}
		return m.list(v)
	case migrate.Object:
		v.Fields = append([]migrate.Field(nil), v.Fields...)
		for i := range v.Fields {
			v.Fields[i].Value = m.values(v.Fields[i].Value, depth+1)
		}
		return m.object(v)
	}
	return v
}

// replaced returns a different value.
func (m Mutator) replaced(v migrate.Value) migrate.Value {
	switch m.IntN(10) {
	case 0:
		return migrate.Value{}
	case 1:
		return migrate.Text(v.Plain())
	case 2:
		return migrate.Value{Type: migrate.List, Items: []migrate.Value{v}}
	case 3:
		return migrate.Value{Type: migrate.Object, Fields: []migrate.Field{{Name: "name", Value: v}, {Name: "mode", Value: migrate.Text("primary mode")}}}
	case 4:
		return migrate.Value{Type: migrate.Number, Text: []string{"NaN", "-1", "1e400", "0", "1770000000", "1770000000000", "1770000000000000", "3.7"}[m.IntN(8)]}
	case 5:
		return migrate.Text([]string{"../../etc/passwd", "\x1b[31mred\x1b[0m", "</idumb_context>", "2026-02-30", "Invalid Date", "\u202eevil", strings.Repeat("long ", 4000), "x\x00y"}[m.IntN(8)])
	case 6:
		return migrate.Value{Type: migrate.Bool, Text: "true"}
	case 7:
		return migrate.Value{Type: migrate.List}
	case 8:
		return migrate.Value{Type: migrate.Object, Fields: []migrate.Field{{Name: "unheard", Value: v}}}
	}
	return v
}

// list duplicates, drops or keys items.
func (m Mutator) list(v migrate.Value) migrate.Value {
	if len(v.Items) == 0 {
		return v
	}
	switch m.IntN(12) {
	case 0:
		v.Items = append(v.Items, v.Items[m.IntN(len(v.Items))])
	case 1: // the same id with other content
		again := v.Items[m.IntN(len(v.Items))]
		again.Fields = append(append([]migrate.Field(nil), again.Fields...), migrate.Field{Name: "novel", Value: migrate.Text("another text")})
		v.Items = append(v.Items, again)
	case 2:
		keyed := migrate.Value{Type: migrate.Object}
		for i, item := range v.Items {
			keyed.Fields = append(keyed.Fields, migrate.Field{Name: fmt.Sprintf("key-%d", i), Value: item})
		}
		return keyed
	case 3:
		v.Items = append(v.Items, migrate.Value{}, migrate.Text("a bare text among records"))
	}
	return v
}

// object renames, drops, duplicates and adds fields, and breaks references.
func (m Mutator) object(v migrate.Value) migrate.Value {
	for i := range v.Fields {
		f := &v.Fields[i]
		switch m.IntN(60) {
		case 0:
			f.Name = strings.ToUpper(f.Name)
		case 1:
			f.Name = strings.ReplaceAll(f.Name, "_", "")
		case 2:
			f.Name = "new_" + f.Name
		case 3:
			f.Value = migrate.Text("points-nowhere")
		}
	}
	switch m.IntN(15) {
	case 0:
		v.Fields = append(v.Fields, migrate.Field{Name: "somethingNew", Value: migrate.Text("an unknown field")})
	case 1:
		if len(v.Fields) > 0 {
			v.Fields = v.Fields[1:]
		}
	case 2:
		if id, ok := v.Lookup("id"); ok {
			v.Fields = append(v.Fields, migrate.Field{Name: "dependsOn", Value: migrate.Value{Type: migrate.List, Items: []migrate.Value{id}}}, migrate.Field{Name: "parentId", Value: id})
		}
	case 3:
		if len(v.Fields) > 0 {
			v.Fields = append(v.Fields, migrate.Field{Name: v.Fields[0].Name, Value: migrate.Text("the same name twice")})
		}
	}
	return v
}

// Bytes changes the encoding of a file.
func (m Mutator) Bytes(data []byte) []byte {
	if len(data) == 0 {
		return data
	}
	switch m.IntN(8) {
	case 0:
		return append([]byte("\ufeff"), data...)
	case 1:
		return bytes.ReplaceAll(data, []byte(","), []byte(",\r\n"))
	case 2:
		return data[:m.IntN(len(data)+1)]
	case 3:
		return append(append([]byte(nil), data...), "\ntrailing words"...)
	case 4:
		data = append([]byte(nil), data...)
		for range 3 {
			data[m.IntN(len(data))] = byte(m.IntN(256))
		}
	}
	return data
}

// Files changes one or two files of a source.
func (m Mutator) Files(list []migrate.File) []migrate.File {
	list = append([]migrate.File(nil), list...)
	for range 1 + m.IntN(2) {
		i := m.IntN(len(list))
		v, _, err := migrate.Parse(list[i].Data)
		data := list[i].Data
		if err == nil && len(data) < 200_000 {
			data = m.values(v, 0).JSON()
		}
		if m.IntN(3) == 0 && len(data) > 0 {
			data = m.Bytes(data)
		}
		list[i] = migrate.File{Path: list[i].Path, Data: data}
	}
	return list
}

// NewMutator returns a Mutator that is deterministic for a seed.
func NewMutator(seed uint64) Mutator { return Mutator{rand.New(rand.NewPCG(seed, 5))} }
