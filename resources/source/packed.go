package source

import "encoding/binary"

// Packed is an outline in few bytes, to be kept for each of many files. Its texts stand in it as
// they are, so that Facts copies none of them.
type Packed string

// Pack packs what Outline returned; of other facts signatures, docs, sums and comments are left out.
func Pack(facts Facts) Packed {
	c := codec{writing: true}
	c.outline(&facts)
	return Packed(c.written)
}

// Facts are those that were packed; of bytes that Pack did not make only that they are Partial.
func (p Packed) Facts() (facts Facts) {
	c := codec{rest: string(p)}
	if c.outline(&facts); c.broken || c.rest != "" {
		return Facts{Partial: "what was kept of it is damaged"}
	}
	return facts
}

// Partial is that of the facts, of which nothing else is unpacked.
func (p Packed) Partial() (why string) {
	c := codec{rest: string(p)}
	c.text(&why)
	return why
}

// codec writes values one after another, or reads them in the same order: a number in as few bytes
// as it needs, a text with its length before it.
type codec struct {
	writing bool
	written []byte
	rest    string // not read yet
	broken  bool   // what was to be read is not there
}

// outline is the one list of what is kept, and its order. Whoever changes it changes Version.
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

func (c *codec) note(n *Note) {
	c.text(&n.Word)
	c.text(&n.Text)
	c.text(&n.Author)
	c.text(&n.Task)
	c.text(&n.Issue)
	c.text(&n.Symbol)
	c.number(&n.Line)
}

func (c *codec) number(n *int) {
	if c.writing {
		c.written = binary.AppendUvarint(c.written, uint64(*n))
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

func (c *codec) text(s *string) {
	n := len(*s)
	if c.number(&n); c.writing {
		c.written = append(c.written, *s...)
		return
	}
	if c.broken = c.broken || n > len(c.rest); c.broken {
		return
	}
	*s, c.rest = c.rest[:n], c.rest[n:]
}

func (c *codec) flag(set *bool) {
	n := 0
	if *set {
		n = 1
	}
	c.number(&n)
	*set = n == 1
}

// list is as many items as it says before them; nil where that is none.
func list[T any](c *codec, all *[]T, item func(*T)) {
	const most = 1 << 10 // room that is made because of a number alone
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
