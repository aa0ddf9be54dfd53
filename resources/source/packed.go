package source

import "encoding/binary"

// Packed is an outline in a compact encoding, for caching many files. Facts returns strings
// that share its memory.
type Packed string

// Pack encodes a result of Outline. It omits signatures, docs, checksums and comments.
func Pack(facts Facts) Packed {
	c := codec{writing: true}
	c.outline(&facts)
	return Packed(c.encoded)
}

// Facts decodes the facts. If p is not a result of Pack, it returns Facts with only Partial
// set.
func (p Packed) Facts() (facts Facts) {
	c := codec{rest: string(p)}
	if c.outline(&facts); c.broken || c.rest != "" {
		return Facts{Partial: "its stored facts are damaged"}
	}
	return facts
}

// Partial decodes only the field Partial of the facts.
func (p Packed) Partial() (why string) {
	c := codec{rest: string(p)}
	c.text(&why)
	return why
}

// codec encodes values in sequence, or decodes them in the same order. A number is a
// varint, and a text has a length prefix.
type codec struct {
	writing bool
	encoded []byte
	rest    string // input to decode
	broken  bool   // the input is truncated or invalid
}

// outline defines the encoded fields and their order. Any change requires a new Version.
func (c *codec) outline(f *Facts) {
	c.text(&f.Partial)
	c.text(&f.Language)
	c.text(&f.Package)
	c.number(&f.Lines)
	c.flag(&f.Generated)
	list(c, &f.Symbols, func(s *Symbol) {
		c.text(&s.Name)
		c.text(&s.Kind)
		c.flag(&s.Exported)
		c.number(&s.From)
		c.number(&s.To)
	})
	list(c, &f.Imports, func(i *Import) {
		c.text(&i.From)
		c.text(&i.Kind)
		c.number(&i.Line)
		list(c, &i.Names, c.text)
	})
	list(c, &f.Exports, func(e *Export) {
		c.text(&e.Name)
		c.text(&e.Local)
		c.text(&e.From)
		c.flag(&e.Type)
		c.number(&e.Line)
	})
	list(c, &f.Notes, c.note)
}

// note encodes or decodes a note.
func (c *codec) note(n *Note) {
	c.text(&n.Word)
	c.text(&n.Text)
	c.text(&n.Author)
	c.text(&n.Task)
	c.text(&n.Issue)
	c.text(&n.Symbol)
	c.number(&n.Line)
}

// number encodes or decodes a number that is not negative.
func (c *codec) number(n *int) {
	if c.writing {
		c.encoded = binary.AppendUvarint(c.encoded, uint64(*n))
		return
	}
	var value uint64
	for shift := 0; shift < 28 && shift/7 < len(c.rest); shift += 7 {
		b := c.rest[shift/7]
		if value |= uint64(b&0x7f) << shift; b < 0x80 {
			*n, c.rest = int(value), c.rest[shift/7+1:]
			return
		}
	}
	c.broken, c.rest = true, ""
}

// text encodes or decodes a text with its length.
func (c *codec) text(s *string) {
	n := len(*s)
	if c.number(&n); c.writing {
		c.encoded = append(c.encoded, *s...)
		return
	}
	if c.broken = c.broken || n > len(c.rest); c.broken {
		return
	}
	*s, c.rest = c.rest[:n], c.rest[n:]
}

// flag encodes or decodes a bool.
func (c *codec) flag(set *bool) {
	n := 0
	if *set {
		n = 1
	}
	c.number(&n)
	*set = n == 1
}

// list encodes or decodes a length and the items. It decodes an empty list as nil.
func list[T any](c *codec, all *[]T, item func(*T)) {
	const most = 1 << 10 // maximum capacity that is allocated for an untrusted length
	n := len(*all)
	if c.number(&n); !c.writing && n > 0 {
		*all = make([]T, 0, min(n, len(c.rest), most))
	}
	for i := 0; i < n && !c.broken; i++ {
		if !c.writing {
			var empty T
			*all = append(*all, empty)
		}
		item(&(*all)[i])
	}
}
