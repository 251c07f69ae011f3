// Package mistakes has one of each mistake that markers in Go source can have.
package mistakes

type Mistakes struct {
	// +maxLength=3
	Number int32 `json:"number,omitempty"`
	// +pattern=^a
	List []string `json:"list,omitempty"`
	// +minimum
	NoArgument int32 `json:"noArgument,omitempty"`
	// +minimum=many
	NotANumber int32 `json:"notANumber,omitempty"`
	// +maxLength=-1
	Negative string `json:"negative,omitempty"`
	// +uniqueItems=maybe
	Maybe []string `json:"maybe,omitempty"`
	// +required=true
	Required string `json:"required,omitempty"`
	// +minimum=1
	// +minimum=2
	Twice int32 `json:"twice,omitempty"`
	// +pattern=`(`
	Regexp string `json:"regexp,omitempty"`
	// +format=dns
	Format string `json:"format,omitempty"`
	// +enum
	Enum string `json:"enum,omitempty"`
	// +enum=a;b
	EnumKind int32 `json:"enumKind,omitempty"`
	// +default=bare
	Default string `json:"default,omitempty"`
	// +default=1
	DefaultKind string `json:"defaultKind,omitempty"`
	// +default=ref(Nothing)
	DefaultRef string `json:"defaultRef,omitempty"`
	// +listType=map
	NoKeys []Inner `json:"noKeys,omitempty"`
	// +listType=map
	// +listMapKey=b
	BadKey []Inner `json:"badKey,omitempty"`
	// +listType=bag
	Bag []Inner `json:"bag,omitempty"`
	// +validationRule="self.a >"
	NotCEL Inner `json:"notCEL,omitempty"`
	// +validationRule="self.a > 0",reason=Wrong
	Reason Inner `json:"reason,omitempty"`
	// +validationRule="self.a > 0",field="b"
	Field Inner `json:"field,omitempty"`
	// +validationRule="self.a > 0",colour=red
	Argument Inner `json:"argument,omitempty"`
	// +validationRule=""
	Empty Inner `json:"empty,omitempty"`
	// +validationErrors={maxLenth: {message: "x"}}
	Keyword string `json:"keyword,omitempty"`
	// +nameFormat=dns1123subdomain
	NoMeta string `json:"noMeta,omitempty"`
	// +items:minimum=1
	NoItems int32 `json:"noItems,omitempty"`
	// +.b:minimum=1
	NoSuchField Inner            `json:"noSuchField,omitempty"`
	Func        func()           `json:"func,omitempty"`
	Keys        map[Inner]string `json:"keys,omitempty"`
	Loop        Loop             `json:"loop,omitempty"`
	Typed       Typed            `json:"typed,omitempty"`
	// +maximum=
	EmptyArgument int32 `json:"emptyArgument,omitempty"`
	// +enum=
	EmptyEnum Typed `json:"emptyEnum,omitempty"`
	// A marker of somebody else's is none of ours.
	// +somebody:else=1
	Else string `json:"else,omitempty"`
}

type Inner struct {
	A int32 `json:"a,omitempty"`
}

// +required
type Typed string

type Loop []Loop
