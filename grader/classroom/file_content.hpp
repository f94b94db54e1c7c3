// What the bytes of a file are, whatever it is called: people upload documents, shortcuts and empty files under the
// name of a program.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::classroom {

// The suffix of the archive that these bytes begin, ".zip"; empty: of none.
std::string_view archive_suffix_of(std::string_view bytes);

// Why this is no program's text: "it is a PDF". Empty: it may be one. A file that a compiler would only stumble over
// because it is another kind of file says nothing about its student.
std::string why_no_program(std::string_view bytes);

// A document by its name, in which a program may stand and which is not read: .pdf, .docx, ...
bool is_document_name(const std::string& name);

// The name says that it is about the work, and not the work: "report", "README", "answers".
bool is_about_work(const std::string& name);

}  // namespace warpgrade::classroom
