package resources

// schemaDialect is the JSON Schema version with the best editor support.
const schemaDialect = "https://json-schema.org/draft/2020-12/schema"

// schema is the subset of JSON Schema that a field table can express. The fields are in the
// order of the output.
type schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        any                `json:"type,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Const       string             `json:"const,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	Format      string             `json:"format,omitempty"`
	MinLength   int                `json:"minLength,omitempty"`
	MaxLength   *int               `json:"maxLength,omitempty"`
	MinItems    int                `json:"minItems,omitempty"`
	Minimum     *int               `json:"minimum,omitempty"`
	Maximum     *int               `json:"maximum,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Additional  any                `json:"additionalProperties,omitempty"` // false, or a schema
}

// Schema returns a JSON Schema of the kind for editors, generated from the field table.
// iDumb does not use it for validation.
func Schema(k *Kind) []byte {
	s := wholeSchema(k)
	s.Dialect, s.Title = schemaDialect, k.Name
	delete(s.Properties, "status")
	return s.text()
}

// WholeSchema returns a JSON Schema of the kind including its status, for programs that
// read objects.
func WholeSchema(k *Kind) []byte { return wholeSchema(k).text() }

// wholeSchema returns the JSON schema of a kind's files.
func wholeSchema(k *Kind) *schema {
	s := schemaOf(k.Fields())
	s.Properties["apiVersion"].Const = APIVersion
	s.Properties["kind"].Const = k.Name
	s.Required = []string{"spec"}
	return s
}

// text encodes the schema as JSON.
func (s *schema) text() []byte {
	data, err := encode(s, Key{})
	if err != nil {
		return nil // a tree of strings and numbers always marshals
	}
	return data
}

// schemaOf returns the schema of a field, which may be a list.
func schemaOf(f *Field) *schema {
	one := f.schemaOfOne()
	if f.Text != "" {
		one = &schema{AnyOf: []*schema{{Type: "string", MinLength: 1}, one}}
	}
	if !f.Repeated {
		one.Description = f.Doc
		return one
	}
	list := &schema{Description: f.Doc, Type: "array", Items: one}
	if f.Required {
		list.MinItems = 1
	}
	return list
}

// schemaOfOne returns the schema of one value of the field's shape.
func (f *Field) schemaOfOne() *schema {
	s := &schema{Enum: f.Enum}
	switch f.Shape {
	case BooleanShape:
		s.Type = "boolean"
	case IntegerShape:
		s.Type, s.Minimum, s.Maximum = "integer", f.Min, f.Max
	case MapShape:
		s.Type, s.Additional = "object", &schema{Type: "string"}
	case CountsShape:
		s.Type, s.Additional = "object", &schema{Type: "integer"}
	case TimeShape:
		s.Type, s.Format = "string", "date-time"
	case ObjectShape:
		s.Type, s.Additional, s.Properties = "object", false, map[string]*schema{}
		for _, child := range f.Fields {
			s.Properties[child.Name] = schemaOf(child)
			if child.Required {
				s.Required = append(s.Required, child.Name)
			}
		}
	default:
		s.Type, s.MaxLength = "string", f.Max
		if f.Required && f.Enum == nil {
			s.MinLength = 1
		}
		if f.Format == "dns1123" || f.Ref != "" {
			s.Pattern = `^[a-z0-9][a-z0-9.-]*$`
		}
	}
	return s
}
