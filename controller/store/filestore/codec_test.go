package filestore

import (
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// Every kind can be written into the index: this is the test that fails when a
// resource gets a field of a type that the index cannot hold.
func TestEveryKindHasAForm(t *testing.T) {
	for _, k := range resources.Kinds() {
		assert.NotZero(t, newForm(k.Plural).version, k.Plural)
	}
	assert.NotEqual(t, newForm(resources.Tasks).version, newForm(resources.Mems).version)
	assert.Equal(t, newForm(resources.Tasks).version, newForm(resources.Tasks).version)
}

func TestTheFormFollowsTypesAndRules(t *testing.T) {
	type one struct {
		A string `idumb:"required"`
	}
	type two struct {
		A string `idumb:"enum=a|b"`
	}
	type three struct{ B string }
	seen := map[uint64]string{}
	for _, v := range []any{one{}, two{}, three{}, struct{ A int }{}} {
		c := newCodecs()
		c.of(reflect.TypeOf(v))
		name := reflect.TypeOf(v).String()
		assert.NotContains(t, seen, c.hash(), name)
		seen[c.hash()] = name
	}
}

// fill sets everything below v that can be set, each value another one.
func fill(v reflect.Value, n *int) {
	*n++
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(int64(*n)*1e6, int64(*n)).UTC()))
	case v.Kind() == reflect.String:
		v.SetString(strings.Repeat("é", *n))
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.Kind() == reflect.Int:
		v.SetInt(int64(-*n * 1000))
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3)) // the last element stays zero
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case v.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 3 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(key, n)
			fill(value, n)
			v.SetMapIndex(key, value)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	}
}

func TestObjectsComeBackAsTheyWere(t *testing.T) {
	for _, k := range resources.Kinds() {
		for _, full := range []bool{false, true} {
			n := 0
			want := k.New()
			if full {
				fill(reflect.ValueOf(want.Head()).Elem(), &n)
				fill(reflect.ValueOf(want.SpecPointer()).Elem(), &n)
			}
			f := newForm(k.Plural)
			e := entry{rev: "r", sig: signature{mtime: 1e18}, content: f.encodeObject(want)}
			got, ok := f.decodeObject(&reader{}, &e)
			require.True(t, ok, k.Plural)
			*want.Source() = resources.Origin{Revision: "r", ModTime: time.Unix(1e9, 0)}
			assert.Equal(t, want, got)
		}
	}
}

func TestSightingsComeBackAsTheyWere(t *testing.T) {
	n := 0
	var want resources.Sightings
	fill(reflect.ValueOf(&want).Elem(), &n)
	f := newForm(resources.CheckpointsKind)
	got, ok := f.decodeSightings(&reader{}, &entry{content: f.encodeSightings(&want)})
	require.True(t, ok)
	assert.Equal(t, &want, got)
}

func TestProblemsComeBackAsTheyWere(t *testing.T) {
	want := resources.Problem{Key: task("a"), Object: "tasks/a", File: "f", Line: 3, Column: 4, Field: "spec", Reason: "why", Remedy: "what next"}
	f := newForm(resources.Tasks)
	got, ok := f.decodeProblem(&reader{}, &entry{content: f.encodeProblem(want)})
	require.True(t, ok)
	assert.Equal(t, want, got)
}

// Whatever the bytes are: no panic, no memory beyond what they can hold.
func FuzzIndex(f *testing.F) {
	form := newForm(resources.Tasks)
	object, _, err := resources.Read(task("task-00001"), taskFile(1))
	require.NoError(f, err)
	content := form.encodeObject(object)
	f.Add(content.data)
	f.Add(form.format([]entry{{name: "a.json", rev: "r", content: content}}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, kind := range []string{resources.Tasks, resources.Mems, resources.CheckpointsKind} {
			form := newForm(kind)
			if kind == resources.CheckpointsKind {
				form.decodeSightings(&reader{}, &entry{content: packed{data: data, texts: data}})
			} else {
				form.decodeObject(&reader{}, &entry{content: packed{data: data, texts: data}})
			}
			form.decodeProblem(&reader{}, &entry{content: packed{data: data, texts: data}})
			form.parse(data)
			if x, err := form.parts(data, 0); err == nil {
				readAll(form, x)
			}
		}
	})
}

// readAll reads whatever an index claims to hold.
func readAll(f *form, x *index) {
	d := deferredMems{form: f, old: x}
	for i := range x.count {
		e := x.entry(i)
		x.find(e.name)
		x.place(i)
		if f.kind == resources.Mems {
			var sketch resources.MemSketch
			x.readSketch(i, "m", &sketch)
			x.glance(i)
			x.says(i)
			d.places = append(d.places, place{entry: i})
			f.decodeObject(&d.r, &e)
		}
	}
}

func TestStringsShareTheBuffer(t *testing.T) {
	var w writer
	w.string("shared")
	r := reader{data: w.data}
	assert.Equal(t, unsafe.Pointer(&w.data[1]), unsafe.Pointer(unsafe.StringData(r.string())))
}
