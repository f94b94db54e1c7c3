// What is added to a message of NVRTC's.
//
// Theory of operation. In the table below, a line that is not indented has the phrases, | between them, of messages
// that the rows under it are asked of. A row serves where all of its conditions hold: `key=a|b` (the value of the key,
// see place.hpp, is one of these; % stands for any text), `key~a|b` (it has one of these in it), or a condition of
// place_conditions.cpp by its name; ! says not. The first row that serves gives the sentence; {key}
// in it, or in a condition, is the value, {key/other} if there is one. A line with phrases and => is its own only row.
// A sentence takes a line of its own; after a semicolon it continues that of the message, after = it is put in its
// place; after - comes why what is named there is not available.
#include "compile/place.hpp"

namespace warpgrade {

std::string_view message_table() {
    return R"--(
# What a program has and a submission has no use for.
identifier "|name followed by "::"|name must be a namespace name|namespace "std" has no member
    of_host_library => = `std::{unknown}` is for host programs; a submission holds kernels and the launcher only: the
        grader allocates, copies, checks and times
namespace "std" has no member => = the kit's standard library has no `std::{1}`: it holds what kernels and launchers
        use, not all of C++17
identifier "|name followed by "::"|name must be a namespace name
    0=cuda%, near_runtime_name => ; is it `{near}`?
    unknown=cublas%|thrust%|cutlass%|cub => - libraries do the exercise for you
    unknown=time|gettimeofday|clock_gettime => - the grader times the launches itself
    unknown=rand|srand => - the grader makes the input
    unknown=fopen => - there are no files
    unknown=scanf => - there is no input to read
    unknown=getenv => - there is no environment
    unknown=system => - there are no other programs
    unknown=cuda%Texture%|cuda%Surface%|cudaCreateChannelDesc|cuda%Array|tex1D%|tex2D% => - the stage is about loads
        from arrays, not about textures: read the array through its pointer, or with __ldg(&in[i])
    unknown=cudaMalloc%|cudaHostAlloc%|cudaHostRegister% => - the grader allocates; the launcher gets device pointers
        that are ready to use, and memory for values in between with cudaMalloc
    unknown=cudaFree% => - the grader frees what it allocated
    unknown=cudaMemcpyToSymbol%|cudaMemcpyFromSymbol% => - the launcher has no copy to or from a symbol: let the kernel
        read the values through a pointer parameter
    unknown=cudaMemcpy% => - the grader copies; data is on the device before the launcher runs and is read after it;
        cudaMemcpy copies within the device
    unknown=cudaMemPrefetch% => - the grader places the data on the device before the launcher runs
    unknown=cudaStream% => - everything runs in the default stream, as in kernel<<<grid, block, shared_bytes>>>(...)
    unknown=cudaLaunch% => - launch as in kernel<<<grid, block, shared_bytes>>>(...)
    unknown=cudaGraph% => - the grader records the launches; launch as in kernel<<<grid, block, shared_bytes>>>(...)
    unknown=cudaDeviceReset% => - the grader owns the device
    unknown=cudaThread% => - it is gone from CUDA, cudaDeviceSynchronize() took its place
    unknown=cuda% => - the grader does what host programs do around the launches

# Names.
identifier "
    loop_cut_off => the ; after the for (...) of line {line} is all that the loop repeats, and `{0}` ends there: take
        it out
    0=__shfl|__shfl_down|__shfl_up|__shfl_xor|__ballot|__any|__all => now `{0}_sync`: its first argument is the mask of
        the lanes that take part
    0=assert => write #include <cassert> at the top
    0=half|__half|half2|__half2 => write #include <cuda_fp16.h> at the top
    0=int%_t|uint%_t => write #include <cstdint> at the top
    0=FLT_%|DBL_% => write #include <cfloat> at the top
    0=INT_%|UINT_% => write #include <climits> at the top
    0=cooperative_groups => write #include <cooperative_groups.h> at the top
    ended => `{0}` of line {line} is known up to line {end} only: declare it before the brackets that end there
    later => `{0}` is declared in line {line}, below: move that above line {here}{head}
    in_another => `{0}` belongs to `{function}` (line {line}), and no other function sees it: pass it as an argument
    at={0}, next=<<<, !only_kernel=|{0} => ; is it `{only_kernel}`, the kernel of this file?
    before2=template, before=< => write template <typename {0}> for a type
    text~typename {0}>|typename {0},|class {0}>|class {0}, => elsewhere `{0}` is a template's parameter: this function
        needs template <typename {0}> in front, too
    0=concept|requires => {0} came with C++20, and the file is compiled as C++17
    0=then => C++ has no then: if (condition) { ... }
    0=elif|elseif => write else if
    0=endif => a block ends with }
    0=boolean => the type is called bool
    0=integer => the type is called int
    0=real => the type is called float
    0=byte => the type is called unsigned char
    0=ulong => the type is called unsigned long
    0=var|let => write the type, int or float, or auto
    0=def|function => a function begins with the type that it gives back, void if none
    0=null|nil|None => write nullptr
    0=True => write true
    0=False => write false
    0=define|include|pragma => a line of the preprocessor's begins with #: write #{0}
    0=foreach => write for (int i = 0; i < n; ++i)
    0=print|println => write printf("...\n"), with #include <cstdio>
    0=mod => the rest of a division is a % b
    0=TODO|FIXME => a note of your own comes after //
    0=syncthreads => its name begins with two underscores: __syncthreads()
    0=shared|global|device => its name has two underscores on either side: __{0}__
    0=thread_id => the number of a thread in its block is threadIdx.x
    near => ; is it `{near}`?
    has_unused_above => {unused} declared above and not used: does `{0}` stand for {which}?
    at={0}, next== => write its type in front where it is stored to first, as in int {0} = ...
    at={0}, next=(, before=;|{|}, text~<<<{0},|{0}>>> => write the type before what is declared here: dim3 {0}(...)
    at={0}, next=( => no function or macro of this name is in the file or in CUDA: write it above, or leave the call out
    is_constant_name => no constant has this name: write constexpr int {0} = ...; above, or use one that is there
    !parameters_here= => the parameters of `{function}` are {parameters_here}: is it one of them? else declare it above
        this line
    => declare `{0}` above this line, or spell it as it is declared
name followed by "::"
    name=cooperative_groups => write #include <cooperative_groups.h> at the top
    name=cg => write namespace cg = cooperative_groups; at the top
    => no namespace, struct or class is called `{name}` here

# Launches, and the arguments of calls.
a function that is not __global__ cannot be launched|a host function call cannot be configured
the function being called must be a __global__
    => <<< >>> starts kernels: is __global__ missing before the function?
expected a ">>>"|no operator "<<"|no operator ">>"|expected an expression
    !line=%<<<%>>>%, line~<<|< <|>>, !kernel= => a launch has three of them on either side: {kernel}<<<grid,
        block>>>(...)
expected a "("
    line=%)<<<%>>>%, line~{kernel/<<<}( => <<< >>> stands between name and arguments: {kernel}<<<grid, block>>>(...)
    line~<<< => after <<<grid, block>>> come the kernel's arguments in ( ), and a ;
too few arguments in function call|too many arguments in function call
    in_chevrons => <<< >>> takes two to four: the grid, the block, then the bytes of dynamic shared memory, and a stream
    called, !parameters= => `{called}` takes ({parameters})
no suitable conversion function from|no suitable constructor exists to convert
    in_chevrons => <<< >>> takes the grid first, then the block, then the bytes of dynamic shared memory
is incompatible with parameter of type
    1=CUstream_st *, in_chevrons => <<<grid, block, bytes, stream>>>: the fourth is a stream, and the bytes of shared
        memory are the third
    at=&, 0=%** => take the & away: what is passed is an address already
    at=*, 1=%* => take the * away: the kernel gets the address, and looks there itself
    at=&, 0=%*, 1=%* => the call stores to `{next}` through a {1}: declare `{next}` as what
        that points to
    0=char, 1=%char * => a text stands in " "; ' ' is for a single character
    rows_of_array, 1=%** => an array of two extents holds its rows one after the other, and no addresses of rows: write
        the parameter as {element} {name/tile}[]{extents}
    rows_of_array, 1=%* => an array of two extents is handed over with the length of its rows: write the parameter as
        {element} {name/tile}[]{extents}
    0=%*, 1=%** => the parameter has one * too many: {0} is one line of elements, element (row, col) is [row *
        length_of_a_row + col]
    called, fewer => `{called}` takes {wanted} arguments, ({parameters}), not {given}: which one is missing?
    called, !wanted={given} => `{called}` takes {wanted} arguments, ({parameters}), not {given}: which one is too many?
    0=const {1}, called, exchanged => `{name}` may only be read, and stands where something is stored: have `{name}` and
        `{other}` changed places?
    0=const {1}, called => `{name}` may only be read, and the parameter could store to it: write const {1} in the
        parameters of `{called}`
    0={1} *, !kind= => the parameter is one number, and `{name}` the address of many: is a * missing there?
    1={0} *, !kind= => `{name}` is one number, and the parameter the address of many: an address is &{name}
    called, other_elements => `{name}` points to {has}, and `{called}` (line {called_line}) takes a pointer to {takes}
        there: let both be of one type
    called => `{called}` takes ({parameters}): compare the arguments with the parameters, one by one: have two changed
        places?
    => compare the arguments with the parameters, one by one: have two changed places?
a value of type
    0=void, line~<<< => a launch gives nothing back: ask in the next line, cudaError_t error = cudaGetLastError();
    0=void => the function gives nothing back: is its type void where it is to be another one?
no instance of overloaded function "atomic
    message~char *|short *|bool * => no such operation is there for bool, char and short: let the elements be int,
        unsigned, unsigned long long, float or double, where they are declared
    => the first argument is where to add, an address: &array[index]; the second is a value of the same type
no instance of overloaded function "__
    0=%_sync => its first argument is the mask of the lanes that take part, 0xffffffff for all
no instance of function template
    kind=function, next=<, next2=float|double|int|unsigned|char, next3=> => line {here} takes it for {next2}, whatever
        the arguments are: leave the < > out, or write <T>
    kind=function, next=< => its template arguments are fixed when it is compiled: literals, or constexpr
    kind=function, next=(, line~<<< => template arguments stand in < >: {name}<32><<<grid, block>>>(...)
    kind=function, next=<<<|(, parameters~T => the arguments do not say what T is, or say two different things: compare
        them with ({parameters})
    kind=function, next=<<< => its template argument cannot be told from the arguments: write {name}<...> with it, in
        front of <<<
    kind=function, next=( => its template argument cannot be told from the arguments: write {name}<...> with it
a __global__ function must have a void return type => a kernel gives nothing back, it stores its results: write
        __global__ void
cannot be a member function => a kernel stands outside of every struct and class: move it out

# What is not a sentence of C++.
expected
    around~=< => C++ has no `=<`: write <=
    around~=> => C++ has no `=>`: write >=
    around~=== => C++ has no `===`: write ==
    around~!== => C++ has no `!==`: write !=
    around~<> => C++ has no `<>`: write !=
    around~&&& => C++ has no `&&&`: write &&
    at=... => ... stands for code that is still to be written
    line=%for % in %range% => a loop of C++: for (int i = 0; i < 10; ++i) { ... }
expected a ")"
    !bracket=none|if|while|for, is_word, !before=(|, => is a , missing before `{at}`?
expected a "("
    before=for => after for come three parts in ( ): for (int i = 0; i < n; ++i)
    before=if|while|switch => after {before} comes a condition in ( )
expected|already been declared
    bracket=for, not_three_parts => a for has three parts, with a ; between them: for (start; condition; step)
expected a "<"|expected a "("
    line~_cast => a cast has its type in < > and its value in ( ): static_cast<std::size_t>(x)
expected a ";"
    at={, statement=% % ( %) => a function cannot be defined inside of another one: move it above
expected a ";"
    after_open_line => a ; is missing at the end of line {above}
expected a declaration
    at={, before=;, before2=) => the ; before { ends the function before its body begins: take it out
block-scope function may only have extern storage|function-definition is not allowed
function definition is not allowed
    => a function begins inside of another one: above, a closing } is missing
expected a "]"|cannot be assigned to an entity of type
    line=%[%,%]%, !line~( => [a, b] has one index, b: each extent takes brackets of its own, [a][b]
unrecognized token|is not valid in an identifier
    foreign_character => `{character}` is not a character of C++; it came with copied text: type it again (-, ", ', *)
expected a statement
    at=else, before=; => an else comes right after what its if does: two statements there need { }
    at=else => an else comes right after what its if does, and here is no if
type name is not allowed|expected an expression
    before=sizeof => the type of a sizeof stands in ( ): sizeof({at})
    at=void|int|float|double|unsigned|char|bool|long|short|auto|size_t|const|struct|T|float4, !bracket=none||for|if =>
        types stand where something is declared: in a call write the names alone
expected a ":"
    line~? => a choice has two values: condition ? value : other value
transfer of control bypasses
    !at=goto => the cases after it have no value in it: put the lines of its case in braces
    => a jump may not go past the line that gives a variable its first value: declare it above the goto, or leave with
        return
comment unclosed => /* begins it, and no */ comes after it: write one
missing closing quote => a text ends with a " in the line in which it begins
expected a member name
    line~-> => elements are taken with [ ] right after the name: in[i], without ->

# Declarations.
no storage class or type specifier
    near_cuda_word => `{name}` is none of C++'s words: is it `{near}`?
    => a declaration begins with a type, as in int n, and a function with what it gives back, void if nothing
explicit type is missing
    line~__global__ => a kernel gives nothing back: write __global__ void
    => before a function's name comes the type that it gives back: float, int, void if nothing
already been declared in the current scope
    !earlier= => `{name}` is declared in line {earlier}: to store to it, leave the type out here; another variable takes
        another name
has already been defined
    message=function % => two functions have this name and these parameters: take one out, or give it another name
    => `{0}` has this name already: give it another one, or leave the type out to store to it
declaration is incompatible with previous
    line=%extern%__shared__%, message~(declared at line {here}) => one name has one type, and a template gives it one
        for each T: declare extern __shared__ unsigned char bytes[], and T* {name} = reinterpret_cast<T*>(bytes)
    line=%extern%__shared__% => all extern __shared__ arrays begin at the same place, and one name has one type: give
        this one another name
initializer not allowed for __shared__
    kind=pointer => an array of a block's own: __shared__ float {name}[...];
    kind=number => let one thread of the block store to it, if (threadIdx.x == 0), then __syncthreads()
    => store to it in the kernel, one thread an element, then __syncthreads()
too many initializer values
    line~__shared__ => the extents of an array stand in [ ], each in a pair of its own: [TILE][TILE]
expression must have a constant value
    before=< => what stands in < > is fixed when it is compiled: a literal, or a constexpr
    bracket=static_assert => what static_assert tests is fixed when it is compiled: assert tests as the kernel runs
    bracket=constexpr => what `if constexpr` tests is fixed when it is compiled: write if, without constexpr
    bracket=alignas => an alignment is fixed when it is compiled: a literal, or a constexpr
    statement=case% => the value after case is fixed when it is compiled: write if for what is compared as it runs
    statement=%constexpr%=% => what a constexpr is set to is fixed when it is compiled: write const in its place
    statement=enum% => the values of an enum are fixed when it is compiled: a literal, or a constexpr
    of_global, !const => `{name}` can change while the program runs: write constexpr before it in line {declared}
    of_local, !type=const%, line~__shared__ => `{name}` (line {declared}) is known when `{function}` runs, and extents
        are fixed when it is compiled: use a constexpr, or `extern __shared__` with the bytes as third launch argument
    of_local, !type=const% => `{name}` (line {declared}) is known when `{function}` runs, and extents are fixed when it
        is compiled: use a constexpr
    line~__shared__ => the extents of a __shared__ array are fixed when it is compiled: a constexpr, or `extern
        __shared__` with the bytes as third launch argument
    => the extents of an array are fixed when it is compiled: a literal, or a constexpr
incomplete type
    line~__shared__, !line~extern => give it its extent, {name/partial}[...]; or, for dynamic shared memory, write
        extern __shared__, and give its bytes as third launch argument
an array may not have elements of this type
    line~[] => only the first extent may be left open: take one [], and the index row * length_of_a_row + col
requires an initializer
    line~__shared__ => shared memory is filled by the kernel, so that it cannot be const: take const out
    kind=array|arrays => what is const is never stored to, and `{0}` holds nothing yet: take const out; what a whole
        block is to share is __shared__
    => a const has its value from the beginning: write = ... after it
does not apply here
    message~__shared__ => shared memory is declared inside of the kernel and is not a parameter
return value type does not match the function type
    returns=void|% void, !returns~__global__ => `{function}` is void in line {function_line}: write the type of what is
        returned there, or return; alone here
    => what is returned has to be of the type before the function's name; a void function, as every kernel is, ends
        with return; alone
no suitable constructor exists to convert
    0=int|float|double|unsigned int, 1=%2|%3|%4, template => one of the types that are asked for is {1}, and no number
        turns into a {1}: = {} sets a variable of any type to zero, and what is set later needs no value
    0=int|float|double|unsigned int, 1=%2|%3|%4 => no number turns into a {1}: = {} sets a variable of any type to zero,
        and what is set later needs no value
no suitable conversion function from|no suitable constructor exists to convert|no operator "="
    template, float_of_template => `{other}` is {type} in line {declared}, and the elements are T: write T there
    template, message~float4, line~(float)|(double)|(int) => one of the types that are asked for is float4, and the cast
        makes a number of one alone: leave it out
    template => two element types meet here: does a declaration say float where T belongs?
"auto" is not allowed here => a parameter has a type of its own: write float, int, ...
argument list for
    !name= => a template's name alone is not a value: write {name}<T>
annotation on lambda requires => write a struct with `__device__ ... operator()(...) const` in place of the lambda

# Expressions whose parts do not fit together.
uint3|dim3
    built_in_alone => `{built_in}` has three parts: write {built_in}.x, or .y
has no member
    0=uint3|dim3 => its parts are .x, .y and .z
    0=float2|int2|uint2 => the parts of a {0} are .x and .y
    0=float3|int3 => the parts of a {0} are .x, .y and .z
    0=float4|int4|uint4 => the parts of a {0} are .x, .y, .z and .w
no operator "[]"
    message=%operand types are:%float4% => the parts of a float4 are .x, .y, .z and .w, without [ ]
    message=%operand types are:%float2% => the parts of a float2 are .x and .y, without [ ]
no operator
    template, message~float4 => one of the types that are asked for is float4: a float4 is four floats and no number, to
        be copied as a whole, or computed with by .x, .y, .z and .w
    message~float4 => a float4 is four floats and no number, to be copied as a whole, or computed with by .x, .y, .z and
        .w
apparent call must have
    !name=, next=. => `{name}.{next2}` is a number, no function: take the ( ) out
    kind=pointer|array => elements of `{name}` are taken with [ ]: {name}[row * length_of_a_row + col]
    kind=arrays => elements of `{name}` are taken with [ ]: {name}[row][col]
    kind=number => `{name}` is a number, no function: take the ( ) out
modifiable lvalue
    in_condition => one = stores; to compare, write ==
    at=& => &x is the address of x: to store to x itself, take the & away
    const => `{name}` is const (line {declared}): it can be read, not stored to; take const out there if it is a result
    kind=arrays => `{name}` has two extents, and one index is given: [row][col]
    at=*, next=( => * takes what is in the brackets after it, and the rest is added to the element: write the whole
        place in them, *(out + i), or out[i]
    => what stands left of = cannot be stored to
must have pointer-to-object type
    !name=, kind= => a single number has no elements: give `{name}` its extents where it is declared, as in [TILE][TILE]
    kind=pointer => `{name}` is flat, one pointer: element (row, col) is {name}[row * length_of_a_row + col]
    kind=number, earlier_kind=pointer|array|arrays => the `{name}` of line {declared} is one number, and hides the one
        of line {earlier}: give it another name
    kind=number, type~extern => it is one number as line {declared} has it: an array of as many as the launch asks for
        is {name}[]
    kind=array => `{name}` has one extent in line {declared}, and two indices are given: declare
        [rows][length_of_a_row], or index with row * length_of_a_row + col
    kind=arrays => `{name}` has {extents} extents in line {declared}, and more indices are given
    parameter => `{name}` is one number in line {declared}: is a * missing there, as in float* {name}?
    kind=number => a single number has no elements: give `{name}` its extents where it is declared, in line {declared},
        as in [TILE][TILE]
must have integral or unscoped enum type
    kind=number, type=%float|%double => `{name}` is a {type} in line {declared}, and an array index, % and shifts want
        whole numbers: make it an int
    => an array index, % and shifts want whole numbers: is one of these a float?
operand of "*" must be a pointer
    line~** => C++ has no power operator: 2 to the s is 1 << s, twice s is 2 * s
    line~=* => =* stores what a pointer leads to; to multiply what is there, write *=
    => p[i] is the element already, and *p is p[0]: take the * away
a value of type
    0=void *, 1=%* => C++ wants the type said: ({1})malloc(...)
    !0={1}, array_of_pointers => `{other}` holds addresses, as line {other_line} has it: for numbers, take the * there
        away
    0=%*, !1=%* => on the right is an address, and on the left a number: the element there is p[i]
    message~cannot be assigned, 1={0} *, is_address_before => `{before}` is the address of many: say which element is
        meant, {before}[...] =
    !0=%*, 1=%* => on the left is an address, and on the right a number: the address of x is &x
invalid type conversion
    line=%static_cast%*% => static_cast does not turn one pointer into another: write reinterpret_cast, where the
        address is a multiple of the new type's size
cannot cast away const => what may be read only stays so: write const in the < >, and for the pointer on the left

# Warnings, and what the file itself asks for.
shift count is too large => an int has 32 bits, and shifts by 31 at most: a mask of all 32 lanes is 0xffffffff, and 1ull
        << 32 has 64 bits
expression has no effect
    next=;, name=__% => a function's name alone does not call it: write {name}()
    next=;, text~{name/;}( => a function's name alone does not call it: write {name}()
    in_condition, line~, => a, b is b alone: for both conditions write a && b
    line=%dim3%=%,% => (a, b) after = is only b: write dim3 block(a, b), or = dim3(a, b)
    rest~== => == compares, and the answer is kept nowhere: to store, write one =
    => what it computes is kept nowhere: is an = missing, as in i += 2?
pointless comparison of unsigned integer with zero => an unsigned number is never below 0, so this always holds: test
        for > 0, or count with an int that goes below 0
is used before its value is set => which line is to set it? nothing is in a variable until something is stored there
missing return statement => what does the function give back where it ends here?
where "==" may => one = stores; to compare, write ==
is unreachable => no way leads here: which return, or which condition, stands before it?
static assertion failed => the file itself asks for this: which of the numbers in the condition is not as it should be?
format string => %d prints an int, %u an unsigned, %zu a size_t, %f a float or double: one for each value, in their
        order
#endif for this directive is missing => what begins here ends with a line #endif: write it after the last line that
        belongs to it
extra text after => the line ends after the header's name: take the rest out
unrecognized #pragma
    line~unr => it is left out: is it #pragma unroll?
)--";
}

}  // namespace warpgrade
